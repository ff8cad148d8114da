package org.diperf.plugins.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.diperf.core.spi.Dialogue;
import org.diperf.plugins.lib.netty.PrintableHead;
import org.jspecify.annotations.Nullable;

/**
 * What went in one direction of a call for people: metadata, and messages field by field, by the numbers of their fields, as {@code protoc
 * --decode_raw} shows them. It may be cut off.
 */
final class PrintableStream {

    private static final int MAX_DEPTH = 20;
    private static final int MAX_HEX = 32;

    private PrintableStream() {}

    static String of(byte[] bytes) {
        PrintableHead head = PrintableHead.of(bytes);
        if (!head.isOne()) {
            return messages(bytes);
        }
        return head.text() + messages(Arrays.copyOfRange(bytes, head.bytes(), bytes.length));
    }

    private static String messages(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        while (in.hasRemaining()) {
            in.mark();
            int flag = in.get();
            int length = in.remaining() < 4 ? -1 : in.getInt();
            if (flag != 0 || length < 0) {
                // Trailers, or what is none of this.
                in.reset();
                text.append(Dialogue.text(rest(in)));
                break;
            }
            if (length > in.remaining()) {
                text.append("message of ").append(length).append(" bytes, cut\n");
                break;
            }
            byte[] message = new byte[length];
            in.get(message);
            text.append("message of ").append(length).append(" bytes\n");
            String fields = fields(message, 1);
            text.append(fields == null ? "  " + hex(message) + "\n" : fields);
        }
        return text.toString();
    }

    private static byte[] rest(ByteBuffer in) {
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        return rest;
    }

    /** Returns the fields of a message, a line each; {@code null} where it is none. */
    private static @Nullable String fields(byte[] message, int depth) {
        StringBuilder text = new StringBuilder();
        CodedInputStream in = CodedInputStream.newInstance(message);
        try {
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                text.append("  ".repeat(depth)).append(WireFormat.getTagFieldNumber(tag));
                switch (WireFormat.getTagWireType(tag)) {
                    case WireFormat.WIRETYPE_VARINT -> text.append(": ").append(in.readRawVarint64());
                    case WireFormat.WIRETYPE_FIXED64 ->
                        text.append(": 0x").append(Long.toHexString(in.readRawLittleEndian64()));
                    case WireFormat.WIRETYPE_FIXED32 ->
                        text.append(": 0x").append(Integer.toHexString(in.readRawLittleEndian32()));
                    case WireFormat.WIRETYPE_LENGTH_DELIMITED -> bytes(in.readByteArray(), depth, text);
                    default -> {
                        return null;
                    }
                }
                text.append('\n');
            }
        } catch (IOException none) {
            return null;
        }
        return text.toString();
    }

    /** Shows what may be a text, a message, or neither. */
    private static void bytes(byte[] value, int depth, StringBuilder text) {
        String words = new String(value, StandardCharsets.UTF_8);
        if (words.chars().noneMatch(c -> Character.isISOControl(c) || c == 0xfffd)) {
            text.append(": \"").append(words.replace("\"", "\\\"")).append('"');
            return;
        }
        String within = depth < MAX_DEPTH ? fields(value, depth + 1) : null;
        if (within == null) {
            text.append(": ").append(hex(value));
        } else {
            text.append(" {\n").append(within).append("  ".repeat(depth)).append('}');
        }
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder("0x");
        for (int i = 0; i < Math.min(MAX_HEX, bytes.length); i++) {
            text.append(Character.forDigit(bytes[i] >> 4 & 15, 16)).append(Character.forDigit(bytes[i] & 15, 16));
        }
        return text + (bytes.length > MAX_HEX ? " … (" + bytes.length + " bytes)" : "");
    }
}
