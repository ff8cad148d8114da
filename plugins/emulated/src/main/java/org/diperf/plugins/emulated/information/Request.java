package org.diperf.plugins.emulated.information;

import com.unboundid.asn1.ASN1Element;
import com.unboundid.asn1.ASN1Exception;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A message of a client (RFC 4511, 4.1.1). The SDK's own reader of messages wants the controls of one vendor's servers, which the
 * packaged program is without.
 *
 * @param type of the operation, one of {@link LDAPMessage}'s
 * @param operation what it wants; {@code null}: neither a bind nor a search
 * @param hasCriticalControl whether it may be carried out only by who knows its controls
 */
record Request(int id, byte type, @Nullable ProtocolOp operation, boolean hasCriticalControl) {

    private static final byte CONTROLS = (byte) 0xa0;
    private static final byte BOOLEAN = 0x01;

    /**
     * Reads the next message.
     *
     * @return {@code null}: there are no more
     * @throws ASN1Exception if it is no message, or longer than {@code mostBytes}
     * @throws LDAPException if it is a bind or a search that is none
     */
    static @Nullable Request readFrom(InputStream in, int mostBytes) throws IOException, ASN1Exception, LDAPException {
        ASN1Element message = ASN1Element.readFrom(in, mostBytes);
        if (message == null) {
            return null;
        }
        ASN1Element[] parts = message.decodeAsSequence().elements();
        if (parts.length < 2) {
            throw new ASN1Exception("expected a message ID and an operation, got " + parts.length + " parts");
        }
        ASN1Element operation = parts[1];
        return new Request(
                parts[0].decodeAsInteger().intValue(),
                operation.getType(),
                decoded(operation),
                parts.length > 2 && parts[2].getType() == CONTROLS && isAnyCritical(parts[2]));
    }

    private static @Nullable ProtocolOp decoded(ASN1Element operation) throws LDAPException {
        return switch (operation.getType()) {
            case LDAPMessage.PROTOCOL_OP_TYPE_BIND_REQUEST -> BindRequestProtocolOp.decodeProtocolOp(operation);
            case LDAPMessage.PROTOCOL_OP_TYPE_SEARCH_REQUEST -> SearchRequestProtocolOp.decodeProtocolOp(operation);
            default -> null;
        };
    }

    private static boolean isAnyCritical(ASN1Element controls) throws ASN1Exception {
        for (ASN1Element control : controls.decodeAsSequence().elements()) {
            // Its name, whether it is critical if that is said, and its value.
            ASN1Element[] parts = control.decodeAsSequence().elements();
            if (parts.length > 1
                    && parts[1].getType() == BOOLEAN
                    && parts[1].decodeAsBoolean().booleanValue()) {
                return true;
            }
        }
        return false;
    }

    boolean isUnbind() {
        return type == LDAPMessage.PROTOCOL_OP_TYPE_UNBIND_REQUEST;
    }
}
