package org.diperf.plugins.mds;

import com.unboundid.asn1.ASN1Element;
import com.unboundid.asn1.ASN1Exception;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.SearchResultDoneProtocolOp;
import com.unboundid.ldap.protocol.SearchResultEntryProtocolOp;
import com.unboundid.ldap.protocol.SearchResultReferenceProtocolOp;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPException;
import java.util.Arrays;
import java.util.Locale;
import org.diperf.core.spi.Dialogue;
import org.jspecify.annotations.Nullable;

/** Says for people what LDAP messages hold: searches in a line, entries as LDIF has them (RFC 2849), results with number and name. */
final class LdapText {

    /** Tag and length of a message that is too short to have a length of its own. */
    private static final int LEAST = 2;

    private LdapText() {}

    /** Returns whether bytes begin as a message or a search request does. */
    static boolean isOne(byte[] bytes) {
        return bytes.length >= LEAST && (bytes[0] == LdapMessage.SEQUENCE || bytes[0] == LdapMessage.SEARCH_REQUEST);
    }

    /**
     * @param sent whether it is what was sent: operations without their envelopes
     * @param bytes of whole messages but for the last one, which may be cut
     */
    static String of(boolean sent, byte[] bytes) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < bytes.length) {
            int end = end(bytes, at);
            String words = end < 0 ? null : words(sent, Arrays.copyOfRange(bytes, at, end));
            if (words == null) {
                text.append(text.isEmpty() ? "" : "\n")
                        .append(Dialogue.text(Arrays.copyOfRange(bytes, at, bytes.length)));
                break;
            }
            text.append(text.isEmpty() ? "" : "\n").append(words);
            at = end;
        }
        return text.toString();
    }

    /** Returns where the element that begins somewhere ends; -1: it is cut, or is none. */
    private static int end(byte[] bytes, int from) {
        if (from + LEAST > bytes.length) {
            return -1;
        }
        int length = bytes[from + 1] & 0xff;
        int at = from + LEAST;
        if (length > 0x7f) {
            int octets = length & 0x7f;
            if (octets > 4 || at + octets > bytes.length) {
                return -1;
            }
            length = 0;
            for (int i = 0; i < octets; i++) {
                length = length << 8 | bytes[at++] & 0xff;
            }
        }
        return length < 0 || length > bytes.length - at ? -1 : at + length;
    }

    private static @Nullable String words(boolean sent, byte[] element) {
        try {
            return sent ? search(element) : answer(LDAPMessage.decode(ASN1Element.decode(element)));
        } catch (ASN1Exception | LDAPException e) {
            return null;
        }
    }

    private static String search(byte[] operation) throws ASN1Exception, LDAPException {
        SearchRequestProtocolOp search = SearchRequestProtocolOp.decodeProtocolOp(ASN1Element.decode(operation));
        return "search base \"" + search.getBaseDN() + "\", scope "
                + search.getScope().getName().toLowerCase(Locale.ROOT) + ", filter "
                + search.getFilter().toString()
                + (search.getAttributes().isEmpty() ? "" : ", attributes " + String.join(" ", search.getAttributes()));
    }

    private static String answer(LDAPMessage message) {
        if (message.getProtocolOp() instanceof SearchResultEntryProtocolOp entry) {
            return new Entry(entry.getDN(), entry.getAttributes()).toLDIFString();
        }
        if (message.getProtocolOp() instanceof SearchResultDoneProtocolOp done) {
            String why = done.getDiagnosticMessage();
            return "search: " + LdapReader.named(done.getResultCode())
                    + (why == null || why.isEmpty() ? "" : ": " + why);
        }
        if (message.getProtocolOp() instanceof SearchResultReferenceProtocolOp elsewhere) {
            return "search continues at " + String.join(" ", elsewhere.getReferralURLs());
        }
        return message.getProtocolOp().toString();
    }
}
