package org.diperf.plugins.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTests {

    private static final LoginSettings ALICE = new LoginSettings("alice", SshConfig.NONE);

    @Test
    void userAndPortMayBeLeftOut() {
        assertThat(Address.parse("node7", ALICE)).isEqualTo(new Address("alice", "node7", 22));
        assertThat(Address.parse("bob@10.0.0.1:2022", ALICE)).isEqualTo(new Address("bob", "10.0.0.1", 2022));
        assertThat(Address.parse("bob@[fe80::1]:2022", ALICE)).isEqualTo(new Address("bob", "fe80::1", 2022));
    }

    @Test
    void itIsShownAsItIsWritten() {
        assertThat(Address.parse("bob@[fe80::1]:2022", ALICE)).hasToString("bob@[fe80::1]:2022");
        assertThat(Address.parse("node7", ALICE)).hasToString("alice@node7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a b", "host:", "host:x", "@host", "host:0", "host:65536", "fe80::1", "-oProxyCommand=x"})
    void whatIsNoAddressIsRefusedWithWhatWasWanted(String text) {
        assertThatThrownBy(() -> Address.parse(text, ALICE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }
}
