package org.diperf.plugins.mds;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.diperf.core.spi.StandIn;
import org.diperf.plugins.lib.netty.HttpConversation;
import org.diperf.plugins.lib.netty.LoopbackServer;
import org.diperf.plugins.lib.netty.soap.Xml;

/** Answers every query by LDAP with the same few entries. Confined to its {@link LoopbackServer}. */
final class MdsStandIn implements LoopbackServer.Conversation {

    private static final int ENTRIES = 8;
    private static final int ENTRY_BYTES = 600;
    private static final byte[] ATTRIBUTES = attributes();
    private static final byte[] DONE = {LdapMessage.SEARCH_DONE, 7, LdapMessage.ENUMERATED, 1, 0, 4, 0, 4, 0};
    private static final byte[] BOUND = {LdapMessage.BIND_RESPONSE, 7, LdapMessage.ENUMERATED, 1, 0, 4, 0, 4, 0};
    private static final int BIND_REQUEST = 0x60;

    private static final String SOAP = "<s:Envelope xmlns:s=\"" + Xml.ENVELOPE
            + "\"><s:Body><r:QueryResourcePropertiesResponse xmlns:r=\""
            + Soap.RESOURCE_PROPERTIES + "\">" + "<Entry><Host name=\"a\" free=\"1\"/></Entry>".repeat(ENTRIES)
            + "</r:QueryResourcePropertiesResponse></s:Body></s:Envelope>";

    private MdsStandIn() {}

    static StandIn start(boolean ldap) throws IOException {
        return ldap
                ? LoopbackServer.start("ldap", "/", MdsStandIn::new)
                : LoopbackServer.start("http", "/", () -> new HttpConversation("text/xml", false, any -> SOAP));
    }

    private static byte[] attributes() {
        byte[] all = new byte[ENTRY_BYTES + 4];
        all[0] = LdapMessage.SEARCH_ENTRY;
        all[1] = (byte) 0x82;
        all[2] = (byte) (ENTRY_BYTES >> 8);
        all[3] = (byte) ENTRY_BYTES;
        return all;
    }

    @Override
    public boolean take(ByteBuffer in, ByteArrayOutputStream out) {
        while (true) {
            in.mark();
            int length = length(in);
            if (length < 0 || in.remaining() < length) {
                in.reset();
                return true;
            }
            byte[] message = new byte[length];
            in.get(message);
            if (!answer(message, out)) {
                return false;
            }
        }
    }

    private static boolean answer(byte[] message, ByteArrayOutputStream answer) {
        int idBytes = message[1];
        int id = 0;
        for (int i = 0; i < idBytes; i++) {
            id = id << 8 | (message[2 + i] & 0xff);
        }
        switch (message[2 + idBytes] & 0xff) {
            case BIND_REQUEST -> write(id, BOUND, answer);
            case LdapMessage.SEARCH_REQUEST -> {
                for (int i = 0; i < ENTRIES; i++) {
                    write(id, ATTRIBUTES, answer);
                }
                write(id, DONE, answer);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Reads tag and length of a message; -1: they have not come yet. */
    private static int length(ByteBuffer in) {
        int first = in.remaining() < 2 ? 0 : in.position(in.position() + 1).get() & 0xff;
        if (first < 0x80) {
            return first == 0 ? -1 : first;
        }
        int length = 0;
        for (int left = first & 0x7f; left > 0; left--) {
            if (!in.hasRemaining()) {
                return -1;
            }
            length = length << 8 | (in.get() & 0xff);
        }
        return length;
    }

    private static void write(int id, byte[] operation, ByteArrayOutputStream into) {
        ByteBuf buffer = Unpooled.buffer(LdapMessage.maxBytes(operation));
        LdapMessage.write(id, operation, buffer);
        into.write(buffer.array(), 0, buffer.readableBytes());
    }
}
