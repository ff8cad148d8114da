package org.diperf.plugins.lib.jsch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jcraft.jsch.JSchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChannelsTests {

    @Test
    void aSessionThatEndsWhileAChannelIsOpenedIsDown() throws Exception {
        assertThat(Channels.opened("a channel")).isEqualTo("a channel");
        assertThatThrownBy(() -> Channels.opened(null))
                .isInstanceOf(JSchException.class)
                .hasMessage("session is down");
    }
}
