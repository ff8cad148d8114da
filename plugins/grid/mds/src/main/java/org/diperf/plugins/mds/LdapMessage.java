package org.diperf.plugins.mds;

import com.unboundid.ldap.protocol.AbandonRequestProtocolOp;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import io.netty.buffer.ByteBuf;

/** What is sent in LDAP besides searches, and the envelope of all messages (RFC 4511, 4.1.1). */
final class LdapMessage {

    static final int BIND_RESPONSE = 0x61;
    static final int SEARCH_REQUEST = 0x63;
    static final int SEARCH_ENTRY = 0x64;
    static final int SEARCH_DONE = 0x65;
    static final int SEARCH_REFERENCE = 0x73;
    static final int EXTENDED_RESPONSE = 0x78;
    static final int INTERMEDIATE_RESPONSE = 0x79;

    static final int SEQUENCE = 0x30;
    static final int INTEGER = 0x02;
    static final int ENUMERATED = 0x0a;

    private static final String START_TLS_OID = "1.3.6.1.4.1.1466.20037";
    private static final byte[] UNBIND = {0x42, 0};

    private LdapMessage() {}

    static byte[] bind(String dn, String password) {
        return new BindRequestProtocolOp(dn, password).encodeProtocolOp().encode();
    }

    static byte[] startTls() {
        return new ExtendedRequestProtocolOp(START_TLS_OID, null)
                .encodeProtocolOp()
                .encode();
    }

    static byte[] abandon(int id) {
        return new AbandonRequestProtocolOp(id).encodeProtocolOp().encode();
    }

    static byte[] unbind() {
        return UNBIND.clone();
    }

    /** Says how long a message with this operation can be at most. */
    static int maxBytes(byte[] operation) {
        return operation.length + 16;
    }

    /** Writes a message: SEQUENCE { messageID INTEGER, operation }. */
    static void write(int id, byte[] operation, ByteBuf into) {
        int idBytes = id < 1 << 7 ? 1 : id < 1 << 15 ? 2 : id < 1 << 23 ? 3 : 4;
        int length = 2 + idBytes + operation.length;
        into.writeByte(SEQUENCE);
        if (length < 1 << 7) {
            into.writeByte(length);
        } else if (length < 1 << 16) {
            into.writeByte(0x82).writeShort(length);
        } else {
            into.writeByte(0x84).writeInt(length);
        }
        into.writeByte(INTEGER).writeByte(idBytes);
        for (int shift = 8 * (idBytes - 1); shift >= 0; shift -= 8) {
            into.writeByte(id >> shift);
        }
        into.writeBytes(operation);
    }
}
