package org.diperf.plugins.lib.http2;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.spi.Url;

/** A server of HTTP/2 that reads requests and does with each what a script says. Each connection has a thread. */
public final class ScriptedHttp2Server implements AutoCloseable {

    private static final int PREFACE_BYTES = 24;

    /**
     * A request that has come whole.
     *
     * @param number among those of the server, from 0
     * @param connection among those of the server, from 0
     * @param stream its id
     * @param fields one a line
     * @param content its body
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Request(int number, int connection, int stream, String fields, byte[] content) {

        /** Returns the body as text. */
        public String body() {
            return new String(content, StandardCharsets.UTF_8);
        }
    }

    /** What to do with a request. */
    public interface Script {
        void answer(Request request, Socket socket, OutputStream out) throws Exception;
    }

    private final ServerSocket listener;
    private final Script script;
    private final byte[] settings;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();

    /** @param settings names and values in turn */
    public ScriptedHttp2Server(Script script, long... settings) throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script, settings);
    }

    /** @param settings names and values in turn */
    public ScriptedHttp2Server(ServerSocket listener, Script script, long... settings) {
        this.listener = listener;
        this.script = script;
        this.settings = new Frames().settings(settings).toBytes();
        start("accept", () -> {
            while (true) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                int connection = connections.getAndIncrement();
                start("connection", () -> {
                    try {
                        serve(socket, connection);
                    } finally {
                        socket.close();
                    }
                });
            }
        });
    }

    /** Answers each request with status 200 and this text. */
    public static ScriptedHttp2Server always(String body, long... settings) throws IOException {
        return new ScriptedHttp2Server((request, socket, out) -> out.write(response(request.stream(), body)), settings);
    }

    /** Makes a response of status 200. */
    public static byte[] response(int stream, String body) {
        return new Frames()
                .headers(stream, 0, Frames.STATUS_200)
                .data(stream, Frames.END, body)
                .toBytes();
    }

    /**
     * Makes a response.
     *
     * @param fields names and values in turn, beginning with {@code :status}
     */
    public static byte[] response(int stream, String body, List<String> fields) {
        byte[] block = Frames.block(fields.toArray(String[]::new));
        return body.isEmpty()
                ? new Frames().headers(stream, Frames.END, block).toBytes()
                : new Frames()
                        .headers(stream, 0, block)
                        .data(stream, Frames.END, body)
                        .toBytes();
    }

    /** Makes an answer of gRPC. */
    public static byte[] grpc(int stream, String status, byte[]... messages) {
        Frames frames = new Frames()
                .headers(stream, 0, Frames.join(Frames.STATUS_200, Frames.block("content-type", "application/grpc")));
        for (byte[] message : messages) {
            frames.frame(Frames.DATA, 0, stream, Frames.join(new byte[] {0}, Frames.ints(message.length), message));
        }
        return frames.headers(stream, Frames.END, Frames.block("grpc-status", status))
                .toBytes();
    }

    /** Makes an answer of gRPC that is a status alone. */
    public static byte[] grpcStatus(int stream, String status) {
        return new Frames()
                .headers(stream, Frames.END, Frames.join(Frames.STATUS_200, Frames.block("grpc-status", status)))
                .toBytes();
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Exception closed) {
                        // the test is over, or its script closed the socket
                    }
                },
                "scripted-http2-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket socket, int connection) throws Exception {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1 << 20);
        Map<Integer, String> heads = new HashMap<>();
        Map<Integer, ByteArrayOutputStream> bodies = new HashMap<>();
        in.readNBytes(PREFACE_BYTES);
        out.write(settings);
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            byte[] payload = in.readNBytes(length);
            if (type == Frames.HEADERS) {
                StringBuilder fields = new StringBuilder();
                decoder.decodeHeaders(stream, Unpooled.wrappedBuffer(payload))
                        .forEach(field -> fields.append(field.getKey())
                                .append(": ")
                                .append(field.getValue())
                                .append('\n'));
                heads.put(stream, fields.toString());
                bodies.put(stream, new ByteArrayOutputStream());
            } else if (type == Frames.DATA) {
                bodies.get(stream).writeBytes(payload);
                if (length > 0) {
                    out.write(new Frames()
                            .number(Frames.WINDOW_UPDATE, 0, length)
                            .number(Frames.WINDOW_UPDATE, stream, length)
                            .toBytes());
                }
            } else if (type == Frames.SETTINGS && flags == 0) {
                out.write(new Frames().frame(Frames.SETTINGS, 1, 0, new byte[0]).toBytes());
            }
            if (type <= Frames.HEADERS && (flags & Frames.END) != 0) {
                Request request = new Request(
                        numbers.getAndIncrement(),
                        connection,
                        stream,
                        heads.remove(stream),
                        bodies.remove(stream).toByteArray());
                requests.add(request);
                script.answer(request, socket, out);
                out.flush();
            }
        }
    }

    /** Returns its address. */
    public Url uri(String path) {
        return Url.of("http://127.0.0.1:" + port() + path);
    }

    /** Returns its port. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Lists the requests, in the order of their arrival on each connection. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Counts the connections. */
    public int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
