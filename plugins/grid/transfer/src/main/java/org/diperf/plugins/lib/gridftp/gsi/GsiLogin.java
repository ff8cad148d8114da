package org.diperf.plugins.lib.gridftp.gsi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.ControlChannel;
import org.diperf.plugins.lib.gridftp.control.Protection;
import org.diperf.plugins.lib.gridftp.control.Reply;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.diperf.plugins.lib.gsi.GsiFailures;
import org.diperf.plugins.lib.gsi.GsiTls;

/**
 * Authenticates a control channel by GSI (RFC 2228 with the mechanism GSSAPI; GFD.20): tokens go in ADAT, then one byte says
 * whether a credential is delegated, which data channels that act for the user need. Confined to its event loop.
 */
public final class GsiLogin {

    private static final byte[] NO_DELEGATION = {'0'};
    private static final byte[] DELEGATION = {'D'};

    private final ControlChannel control;
    private final GsiCredentials credentials;
    private final boolean delegates;
    private final GsiTls tls;
    private final Consumer<Protection> whenDone;
    private final Consumer<Failure> whenFailed;
    private State state = State.HANDSHAKE;

    private enum State {
        HANDSHAKE,
        FLAG,
        SIGNED
    }

    public GsiLogin(
            ControlChannel control,
            GsiCredentials credentials,
            boolean delegates,
            Server server,
            Consumer<Protection> whenDone,
            Consumer<Failure> whenFailed) {
        this.control = control;
        this.credentials = credentials;
        this.delegates = delegates;
        this.tls = new GsiTls(credentials.client(
                server.address().getHostString(), server.address().getPort()));
        this.whenDone = whenDone;
        this.whenFailed = whenFailed;
    }

    public void begin() {
        control.send("AUTH GSSAPI", reply -> {
            if (!reply.wantsMore()) {
                whenFailed.accept(Failure.ofService("AUTH: " + reply.cause()));
                return;
            }
            try {
                send(tls.handshake(new byte[0]));
            } catch (IOException | RuntimeException e) {
                whenFailed.accept(GsiFailures.of(e));
            }
        });
    }

    private void send(byte[] token) {
        control.send("ADAT " + Base64.getEncoder().encodeToString(token), this::answered);
    }

    private void answered(Reply reply) {
        if (reply.isPositive() && state != State.HANDSHAKE) {
            whenDone.accept(new Wrapping(tls));
            return;
        }
        if (!reply.wantsMore()) {
            whenFailed.accept(Failure.ofService("ADAT: " + reply.cause()));
            return;
        }
        try {
            byte[] token = token(reply);
            if (state == State.FLAG) {
                state = State.SIGNED;
                send(tls.wrap(credentials.delegate(tls.unwrap(token))));
                return;
            }
            byte[] next = tls.handshake(token);
            if (next.length == 0 && tls.isEstablished()) {
                state = State.FLAG;
                send(tls.wrap(delegates ? DELEGATION : NO_DELEGATION));
            } else {
                send(next);
            }
        } catch (IOException | RuntimeException e) {
            whenFailed.accept(GsiFailures.of(e));
        }
    }

    private static byte[] token(Reply reply) throws IOException {
        StringBuilder base64 = new StringBuilder();
        for (String line : reply.lines()) {
            // RFC 2228 wants ADAT= in front; not every server writes it.
            base64.append(line.replaceFirst("^\\d{3}[ -]?", "").strip().replaceFirst("^ADAT=", ""));
        }
        if (base64.length() == 0) {
            throw new SSLException("no token");
        }
        return Base64.getDecoder().decode(base64.toString());
    }

    /** Commands and replies in the TLS session of the log-in. */
    private record Wrapping(GsiTls tls) implements Protection {

        @Override
        public String wrap(String command) throws IOException {
            // The servers take a command as a C string.
            byte[] plain = (command + "\0").getBytes(StandardCharsets.UTF_8);
            return "ENC " + Base64.getEncoder().encodeToString(tls.wrap(plain));
        }

        @Override
        public byte[] unwrap(String base64) throws IOException {
            try {
                return tls.unwrap(Base64.getDecoder().decode(base64.strip()));
            } catch (IllegalArgumentException e) {
                throw new SSLException("not base 64", e);
            }
        }
    }
}
