package org.diperf.plugins.lib.jsch;

import com.jcraft.jsch.JSchException;
import org.jspecify.annotations.Nullable;

/** Channels of sessions that may end at any time. */
public final class Channels {

    private Channels() {}

    /**
     * Returns what {@code Session.openChannel} gave, which is {@code null} where the session ended while it was at work.
     *
     * @throws JSchException as if it had ended before
     */
    public static <T> T opened(@Nullable T channel) throws JSchException {
        if (channel == null) {
            throw new JSchException("session is down");
        }
        return channel;
    }
}
