package org.diperf.plugins.tcp;

import java.io.IOException;
import java.util.List;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.TargetAddress;

/** Sends bytes to {@code tcp://host:port} and waits for the answer. */
public final class TcpPlugin implements ClientPlugin {

    @Override
    public String id() {
        return "tcp";
    }

    @Override
    public String summary() {
        return "sends bytes over a TCP connection and waits for an echo or a line";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault("send", Type.TEXT, "x", "text to send, in UTF-8; at least one character"),
                Parameter.withDefault(
                                "answer",
                                Type.STRING,
                                "echo",
                                "what to wait for: the same bytes, or bytes up to a newline")
                        .oneOf("echo", "line"));
    }

    @Override
    public void check(Url target, Parameters with) {
        address(target);
        if (with.text("send").toString().isEmpty()) {
            throw new IllegalArgumentException("send: expected at least one character, got none");
        }
    }

    /** Reads the target. */
    static TargetAddress address(Url target) {
        return TargetAddress.of(target, 0, "tcp://HOST:PORT");
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new TcpSession(context);
    }
}
