package org.diperf.plugins.memcached;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A connection over which memcached's text protocol is spoken; an interrupt ends it. Confined to one thread. */
final class Connection implements AutoCloseable {

    static final int PORT = 11211;

    private static final int MAX_LINE = 2_048;

    private final SocketChannel channel;
    private final InputStream in;

    /** Connects. */
    Connection(InetSocketAddress address) throws IOException {
        this(SocketChannel.open(resolved(address)));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** Takes over a connection that was accepted. */
    Connection(SocketChannel channel) {
        this.channel = channel;
        this.in = new BufferedInputStream(Channels.newInputStream(channel));
    }

    /** Returns the address in a target, not looked up. */
    static InetSocketAddress address(URI target) {
        if (target.getHost() == null) {
            throw new IllegalArgumentException("target: expected memcached://HOST[:PORT], got '" + target + "'");
        }
        int port = target.getPort() < 0 ? PORT : target.getPort();
        return InetSocketAddress.createUnresolved(target.getHost().replaceAll("[\\[\\]]", ""), port);
    }

    private static InetSocketAddress resolved(InetSocketAddress named) throws UnknownHostException {
        InetSocketAddress resolved = new InetSocketAddress(named.getHostString(), named.getPort());
        if (resolved.isUnresolved()) {
            throw new UnknownHostException("expected a host that can be resolved, got '" + named.getHostString() + "'");
        }
        return resolved;
    }

    /** Sends a line. */
    void send(String line) throws IOException {
        send(line, new byte[0]);
    }

    /** Sends a line and, where there are some, bytes behind it. */
    void send(String line, byte[] data) throws IOException {
        byte[] head = (line + "\r\n").getBytes(StandardCharsets.UTF_8);
        ByteBuffer all = ByteBuffer.allocate(head.length + data.length + 2).put(head);
        if (data.length > 0) {
            all.put(data).put((byte) '\r').put((byte) '\n');
        }
        all.flip();
        while (all.hasRemaining()) {
            channel.write(all);
        }
    }

    /** Reads a line, without its end. */
    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.length() > MAX_LINE) {
                throw new EOFException(next < 0 ? "connection closed" : "line too long");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    /** Skips a value and the end of its line. */
    void skip(long bytes) throws IOException {
        in.skipNBytes(bytes + 2);
    }

    /** Asks for the server's statistics, by their names. */
    Map<String, String> stats() throws IOException {
        send("stats");
        Map<String, String> stats = new LinkedHashMap<>();
        for (String line = line(); !line.equals("END"); line = line()) {
            String[] words = line.split(" ", 3);
            if (words.length < 3 || !words[0].equals("STAT")) {
                throw new IOException("expected lines of statistics, got '" + line + "'");
            }
            stats.put(words[1], words[2]);
        }
        return stats;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
