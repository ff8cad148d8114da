package org.diperf.plugins.sshcopy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;

/** What the two ways of copying have in common; a call is one file. */
abstract sealed class CopyPlugin implements ClientPlugin permits ScpPlugin, SftpPlugin {

    static final Metric CONNECT =
            new Metric("connect", "ms", "time to set up the TCP connection, if the call opened one");
    static final Metric LOGIN =
            new Metric("login", "ms", "time for key exchange and authentication, if the call opened the connection");
    static final Metric FIRST_BYTE =
            new Metric("first-byte", "ms", "time from the request for the file to its first byte, for downloads");

    @Override
    public String exampleTarget() {
        return id() + "://127.0.0.1:22/etc/hosts";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault(
                                "direction", Type.STRING, "get", "get: download to the tester; put: upload from it")
                        .oneOf("get", "put"),
                Parameter.optional(
                                "path",
                                Type.TEXT,
                                "file, absolute or relative to the folder of the target's file; default: the target's")
                        .suchAs("\"file-${random:1..9}.bin\""),
                Parameter.withDefault("size", Type.SIZE, "1MiB", "size of an upload whose source is not a file"),
                Parameter.withDefault("sink", Type.TEXT, "discard", "file to store a download in, or discard"),
                Parameter.withDefault("source", Type.TEXT, "zeros", "file on the tester to upload, or zeros"),
                Parameter.optional("user", Type.STRING, "user name if the URL has none; default: your own")
                        .suchAs("alice"),
                Parameter.optional(
                                "key",
                                Type.STRING,
                                "private key on the tester, without a passphrase; default: the ssh command's key files")
                        .suchAs("~/.ssh/id_ed25519"),
                Parameter.optional(
                                "known-hosts",
                                Type.STRING,
                                "file on the tester with host keys; default: ~/.ssh/known_hosts")
                        .suchAs("~/.ssh/known_hosts"),
                Parameter.withDefault(
                                "host-keys", Type.STRING, "strict", "what to do with hosts that are not in known-hosts")
                        .oneOf("strict", "accept-new"),
                Parameter.withDefault(
                                "connection",
                                Type.STRING,
                                "keep",
                                "keep the log-in for the next call, or log in for every call")
                        .oneOf("keep", "new"));
    }

    @Override
    public Set<ClientTrait> traits() {
        return Set.of(ClientTrait.MOVES_DATA);
    }

    @Override
    public List<Metric> metrics() {
        return List.of(CONNECT, LOGIN, FIRST_BYTE);
    }

    @Override
    public void check(Url target, Parameters with) {
        Host host = Host.of(id(), target, with);
        if (host.path().isEmpty() && !with.has("path")) {
            throw new IllegalArgumentException(
                    "path: expected a file in the target's URL or in path, got neither for '" + target + "'");
        }
    }

    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        Host host = Host.of(id(), target, with);
        return List.of(InetSocketAddress.createUnresolved(host.name(), host.port()));
    }

    /** Says what it is, as servers log who goes away before that as an error, for which some ban addresses. */
    @Override
    public void hangUp(Socket socket, Parameters with) throws IOException {
        socket.getOutputStream().write("SSH-2.0-diperf\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new CopySession(id(), context, NanoClock.SYSTEM);
    }
}
