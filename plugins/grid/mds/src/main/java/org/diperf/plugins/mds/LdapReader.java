package org.diperf.plugins.mds;

import com.unboundid.ldap.sdk.ResultCode;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Locale;

/**
 * Cuts what a server sends into messages. Entries are counted and not looked into: of a message only its number and kind
 * are read, and of those that end something their result. Holds no more than one result, whatever the length of an answer.
 * Confined to its connection's event loop.
 */
final class LdapReader {

    private static final int MAX_RESULT_BYTES = 1 << 20;
    /** Taken at once, whatever length a server claims. */
    private static final int FIRST_RESULT_BYTES = 4 << 10;

    private static final byte[] NOTHING = {};

    /** What the server sent is no LDAP. */
    static final class MalformedMessageException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedMessageException(String message) {
            super(message);
        }
    }

    /** Takes messages, each when it is there as a whole. */
    interface Receiver {

        /**
         * @param id of the request that is answered, 0 for none
         * @param operation tag of the message's kind
         * @param bytes of the whole message
         * @param result what follows the tag; empty for entries, references and intermediate responses
         */
        void message(int id, int operation, long bytes, byte[] result) throws MalformedMessageException;
    }

    private enum Stage {
        SEQUENCE,
        LENGTH,
        LONG_LENGTH,
        ID,
        ID_LENGTH,
        ID_VALUE,
        OPERATION,
        REST
    }

    private final Receiver receiver;
    private Stage stage = Stage.SEQUENCE;
    private int lengthBytes;
    private int idBytes;
    private long left;
    private long bytes;
    private int id;
    private int operation;
    private byte[] result = NOTHING;
    private int resultBytes;

    LdapReader(Receiver receiver) {
        this.receiver = receiver;
    }

    /** Returns whether a message has begun and not ended. */
    boolean isWithinMessage() {
        return stage != Stage.SEQUENCE;
    }

    void read(ByteBuf in) throws MalformedMessageException {
        while (in.isReadable()) {
            if (stage == Stage.REST) {
                rest(in);
            } else {
                head(in.readUnsignedByte());
            }
            if (stage == Stage.REST && left == 0) {
                byte[] content = result;
                result = NOTHING;
                stage = Stage.SEQUENCE;
                receiver.message(id, operation, bytes, content);
            }
        }
    }

    private void rest(ByteBuf in) {
        int count = (int) Math.min(left, in.readableBytes());
        if (resultBytes > 0) {
            int from = (int) (resultBytes - left);
            if (from + count > result.length) {
                result = Arrays.copyOf(result, Math.min(resultBytes, Math.max(2 * result.length, from + count)));
            }
            in.readBytes(result, from, count);
        } else {
            in.skipBytes(count);
        }
        left -= count;
    }

    private void head(int octet) throws MalformedMessageException {
        switch (stage) {
            case SEQUENCE -> {
                expected(octet == LdapMessage.SEQUENCE);
                bytes = 1;
                stage = Stage.LENGTH;
            }
            case LENGTH -> {
                bytes++;
                if (octet < 0x80) {
                    begin(octet);
                } else {
                    lengthBytes = octet & 0x7f;
                    expected(lengthBytes >= 1 && lengthBytes <= 4);
                    left = 0;
                    stage = Stage.LONG_LENGTH;
                }
            }
            case LONG_LENGTH -> {
                bytes++;
                left = left << 8 | octet;
                if (--lengthBytes == 0) {
                    begin(left);
                }
            }
            case ID -> {
                expected(octet == LdapMessage.INTEGER && --left > 0);
                stage = Stage.ID_LENGTH;
            }
            case ID_LENGTH -> {
                expected(octet >= 1 && octet <= 4 && --left > octet);
                idBytes = octet;
                id = 0;
                stage = Stage.ID_VALUE;
            }
            case ID_VALUE -> {
                left--;
                id = id << 8 | octet;
                if (--idBytes == 0) {
                    stage = Stage.OPERATION;
                }
            }
            default -> {
                left--;
                operation = octet;
                boolean whole = octet != LdapMessage.SEARCH_ENTRY
                        && octet != LdapMessage.SEARCH_REFERENCE
                        && octet != LdapMessage.INTERMEDIATE_RESPONSE;
                expected(!whole || left <= MAX_RESULT_BYTES);
                resultBytes = whole ? (int) left : 0;
                result = new byte[Math.min(resultBytes, FIRST_RESULT_BYTES)];
                stage = Stage.REST;
            }
        }
    }

    private void begin(long length) throws MalformedMessageException {
        // The shortest holds a number of one byte and an operation of two.
        expected(length >= 5);
        left = length;
        bytes += length;
        stage = Stage.ID;
    }

    private static void expected(boolean found) throws MalformedMessageException {
        if (!found) {
            throw new MalformedMessageException("not LDAP");
        }
    }

    /**
     * Reads the result code, with which every LDAPResult begins.
     *
     * @param result what follows the operation's tag
     */
    static int code(byte[] result) throws MalformedMessageException {
        expected(result.length > 0);
        int at = (result[0] & 0x80) == 0 ? 1 : 1 + (result[0] & 0x7f);
        expected(at + 2 < result.length && result[at] == LdapMessage.ENUMERATED);
        int length = result[at + 1];
        expected(length >= 1 && length <= 4 && at + 2 + length <= result.length);
        int code = 0;
        for (int i = 0; i < length; i++) {
            code = code << 8 | (result[at + 2 + i] & 0xff);
        }
        return code;
    }

    /** Returns a code as its number and name: {@code 32 no such object}. */
    static String named(int code) {
        ResultCode known = ResultCode.valueOf(code);
        String name = known.getName().toLowerCase(Locale.ROOT);
        return name.equals(Integer.toString(code)) ? name : code + " " + name;
    }
}
