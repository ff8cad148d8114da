package org.diperf.plugins.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTests {

    @Test
    void userAndPortMayBeLeftOut() {
        assertThat(Address.parse("node7", "alice")).isEqualTo(new Address("alice", "node7", 22));
        assertThat(Address.parse("bob@10.0.0.1:2022", "alice")).isEqualTo(new Address("bob", "10.0.0.1", 2022));
        assertThat(Address.parse("bob@[fe80::1]:2022", "alice")).isEqualTo(new Address("bob", "fe80::1", 2022));
    }

    @Test
    void itIsShownAsItIsWritten() {
        assertThat(Address.parse("bob@[fe80::1]:2022", "x")).hasToString("bob@[fe80::1]:2022");
        assertThat(Address.parse("node7", "alice")).hasToString("alice@node7");
    }

    @Test
    void knownHostsHasThePortOnlyWhereItIsNotTheUsualOne() {
        assertThat(Address.parse("node7", "a").knownAs()).isEqualTo("node7");
        assertThat(Address.parse("node7:2022", "a").knownAs()).isEqualTo("[node7]:2022");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a b", "host:", "host:x", "@host", "host:0", "host:65536", "fe80::1", "-oProxyCommand=x"})
    void whatIsNoAddressIsRefusedWithWhatWasWanted(String text) {
        assertThatThrownBy(() -> Address.parse(text, "alice"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wanted");
    }
}
