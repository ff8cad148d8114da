package org.diperf.plugins.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.diperf.core.contract.TestCertificate;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.http2.ScriptedHttp2Server;

/** A server of either version of HTTP that answers by the path of a request. */
final class PathServer implements AutoCloseable {

    /**
     * An answer.
     *
     * @param fields names and values in turn
     */
    record Reply(int status, String body, List<String> fields) {

        static final Reply OK = of(200, "ok");
        /** None at all. */
        static final Reply SILENCE = of(0, "");

        static Reply of(int status, String body, String... fields) {
            return new Reply(status, body, List.of(fields));
        }

        static Reply redirect(int status, String location, String... fields) {
            List<String> all = new ArrayList<>(List.of("location", location));
            all.addAll(List.of(fields));
            return new Reply(status, "gone", all);
        }

        private String http11(boolean head) {
            StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " X\r\n");
            for (int i = 0; i < fields.size(); i += 2) {
                text.append(fields.get(i))
                        .append(": ")
                        .append(fields.get(i + 1))
                        .append("\r\n");
            }
            return text + "Content-Length: " + body.length() + "\r\n\r\n" + (head ? "" : body);
        }

        private byte[] http2(int stream, boolean head) {
            List<String> all = new ArrayList<>(List.of(":status", String.valueOf(status)));
            all.addAll(fields);
            return ScriptedHttp2Server.response(stream, head ? "" : body, all);
        }
    }

    /**
     * A request as it came.
     *
     * @param line method and path
     * @param fields by their names in lower case
     */
    record Seen(String line, Map<String, String> fields, String body) {

        private static Seen of(String request) {
            int end = request.indexOf("\r\n\r\n");
            String[] lines = request.substring(0, end).split("\r\n");
            Map<String, String> fields = fields(List.of(lines).subList(1, lines.length));
            return new Seen(lines[0].replace(" HTTP/1.1", ""), fields, request.substring(end + 4));
        }

        private static Seen of(ScriptedHttp2Server.Request request) {
            String text = new String(request.fields().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
            Map<String, String> fields = fields(List.of(text.split("\n")));
            fields.put("host", String.valueOf(fields.remove(":authority")));
            return new Seen(fields.remove(":method") + " " + fields.remove(":path"), fields, request.body());
        }

        private static Map<String, String> fields(List<String> lines) {
            Map<String, String> fields = new TreeMap<>();
            for (String line : lines) {
                int colon = line.indexOf(": ", 1);
                fields.merge(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 2),
                        (one, two) -> one + " | " + two);
            }
            return fields;
        }
    }

    /** What it answers to requests for a path. */
    interface Replies {
        Reply to(String path);
    }

    private final Replies replies;
    private final ServerSocket listener;
    private final AutoCloseable closing;
    private final Supplier<List<Seen>> requests;
    private final IntSupplier connections;

    private PathServer(String version, ServerSocket listener, Replies replies) {
        this.replies = replies;
        this.listener = listener;
        if (version.equals("2")) {
            ScriptedHttp2Server server =
                    new ScriptedHttp2Server(listener, (request, socket, out) -> answer(request, out));
            closing = server;
            requests = () -> server.requests().stream().map(Seen::of).toList();
            connections = server::connections;
        } else {
            ScriptedServer server = new ScriptedServer(listener, (request, head, socket, out) -> answer(head, out));
            closing = server;
            requests = () -> server.requests().stream().map(Seen::of).toList();
            connections = server::connections;
        }
    }

    /** Answers by these; what is not known, even later, is not found. */
    static Replies by(Map<String, Reply> replies) {
        return path -> replies.getOrDefault(path, Reply.of(404, ""));
    }

    static PathServer of(String version, Replies replies) throws IOException {
        return new PathServer(version, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), replies);
    }

    /** Makes one that is known by this certificate, and offers its version by ALPN. */
    static PathServer of(String version, TestCertificate certificate, Replies replies) throws Exception {
        SSLServerSocket listener = (SSLServerSocket) certificate.listen();
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {version.equals("2") ? "h2" : "http/1.1"});
        listener.setSSLParameters(parameters);
        return new PathServer(version, listener, replies);
    }

    private void answer(String head, OutputStream out) throws IOException {
        Reply reply = replies.to(head.split(" ")[1]);
        if (reply.status > 0) {
            out.write(reply.http11(head.startsWith("HEAD ")).getBytes(StandardCharsets.UTF_8));
        }
    }

    private void answer(ScriptedHttp2Server.Request request, OutputStream out) throws IOException {
        String[] line = Seen.of(request).line.split(" ");
        Reply reply = replies.to(line[1]);
        if (reply.status > 0) {
            out.write(reply.http2(request.stream(), line[0].equals("HEAD")));
        }
    }

    Url uri(String path) {
        return Url.of("http://127.0.0.1:" + port() + path);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Lists the requests in the order of their arrival. */
    List<Seen> requests() {
        return requests.get();
    }

    int connections() {
        return connections.getAsInt();
    }

    @Override
    public void close() throws Exception {
        closing.close();
    }
}
