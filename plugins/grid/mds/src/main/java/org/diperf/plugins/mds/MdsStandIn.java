package org.diperf.plugins.mds;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.diperf.core.spi.StandIn;

/** Answers every query with the same few entries, each connection on a thread of its own. Thread-safe. */
final class MdsStandIn implements StandIn {

    private static final int ENTRIES = 8;
    private static final int ENTRY_BYTES = 600;
    private static final byte[] ATTRIBUTES = attributes();
    private static final byte[] DONE = {LdapMessage.SEARCH_DONE, 7, LdapMessage.ENUMERATED, 1, 0, 4, 0, 4, 0};
    private static final byte[] BOUND = {LdapMessage.BIND_RESPONSE, 7, LdapMessage.ENUMERATED, 1, 0, 4, 0, 4, 0};
    private static final int BIND_REQUEST = 0x60;
    private static final int SEARCH_REQUEST = 0x63;

    private final ServerSocket server;
    private final boolean ldap;
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    private MdsStandIn(boolean ldap) throws IOException {
        this.ldap = ldap;
        server = new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    }

    static MdsStandIn start(boolean ldap) throws IOException {
        MdsStandIn made = new MdsStandIn(ldap);
        made.start("diperf-stand-in", made::accept);
        return made;
    }

    @Override
    public URI target() {
        return URI.create((ldap ? "ldap" : "http") + "://127.0.0.1:" + server.getLocalPort() + "/");
    }

    private interface Work {
        void run() throws IOException;
    }

    private void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // Nobody is answered any more; the rehearsal ends by its time.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket accepted = server.accept();
            open.add(accepted);
            accepted.setTcpNoDelay(true);
            start("diperf-stand-in-connection", () -> {
                try (accepted) {
                    DataInputStream in = new DataInputStream(new BufferedInputStream(accepted.getInputStream()));
                    while (ldap
                            ? answerLdap(in, accepted.getOutputStream())
                            : answerSoap(in, accepted.getOutputStream())) {
                        // the next one
                    }
                } finally {
                    open.remove(accepted);
                }
            });
        }
    }

    private static byte[] attributes() {
        byte[] all = new byte[ENTRY_BYTES + 4];
        all[0] = LdapMessage.SEARCH_ENTRY;
        all[1] = (byte) 0x82;
        all[2] = (byte) (ENTRY_BYTES >> 8);
        all[3] = (byte) ENTRY_BYTES;
        return all;
    }

    private static boolean answerLdap(DataInputStream in, OutputStream out) throws IOException {
        if (in.read() != LdapMessage.SEQUENCE) {
            return false;
        }
        byte[] message = in.readNBytes(length(in));
        int idBytes = message[1];
        int id = 0;
        for (int i = 0; i < idBytes; i++) {
            id = id << 8 | (message[2 + i] & 0xff);
        }
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        switch (message[2 + idBytes] & 0xff) {
            case BIND_REQUEST -> write(id, BOUND, answer);
            case SEARCH_REQUEST -> {
                for (int i = 0; i < ENTRIES; i++) {
                    write(id, ATTRIBUTES, answer);
                }
                write(id, DONE, answer);
            }
            default -> {
                return false;
            }
        }
        answer.writeTo(out);
        return true;
    }

    private static int length(DataInputStream in) throws IOException {
        int first = in.readUnsignedByte();
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            length = length << 8 | in.readUnsignedByte();
        }
        return length;
    }

    private static void write(int id, byte[] operation, ByteArrayOutputStream into) {
        ByteBuf buffer = Unpooled.buffer(LdapMessage.maxBytes(operation));
        LdapMessage.write(id, operation, buffer);
        into.write(buffer.array(), 0, buffer.readableBytes());
    }

    private static boolean answerSoap(DataInputStream in, OutputStream out) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int octet = in.read();
            if (octet < 0) {
                return false;
            }
            head.append((char) octet);
        }
        String length =
                head.toString().toLowerCase(Locale.ROOT).replaceFirst("(?s).*content-length: *([0-9]+).*", "$1");
        in.skipNBytes(Integer.parseInt(length));
        String body = "<s:Envelope xmlns:s=\"" + Soap.ENVELOPE
                + "\"><s:Body><r:QueryResourcePropertiesResponse xmlns:r=\""
                + Soap.RESOURCE_PROPERTIES + "\">" + "<Entry><Host name=\"a\" free=\"1\"/></Entry>".repeat(ENTRIES)
                + "</r:QueryResourcePropertiesResponse></s:Body></s:Envelope>";
        out.write(("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII));
        return true;
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket each : open) {
                each.close();
            }
        } catch (IOException e) {
            // They end with the process at the latest.
        }
    }
}
