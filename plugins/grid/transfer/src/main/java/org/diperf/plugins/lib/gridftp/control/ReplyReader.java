package org.diperf.plugins.lib.gridftp.control;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a control channel's bytes into replies, those of several lines included (RFC 959, section 4.2). Bounded: a server
 * that sends longer lines or more of them than any reply needs is refused. Confined to its event loop.
 */
final class ReplyReader {

    static final int MAX_LINE_BYTES = 256 << 10;
    private static final int MAX_REPLY_BYTES = 4 << 20;
    /** What a line takes besides its text. */
    private static final int LINE_BYTES = 64;

    private final Consumer<Reply> replies;
    private byte[] line = new byte[128];
    private int lineBytes;
    private int replyBytes;
    private final List<String> lines = new ArrayList<>(1);
    private @Nullable String end;
    private int code;

    ReplyReader(Consumer<Reply> replies) {
        this.replies = replies;
    }

    /**
     * Takes what came.
     *
     * @throws MalformedReplyException when it is no reply
     */
    void read(ByteBuf in) throws MalformedReplyException {
        while (in.isReadable()) {
            int length = in.bytesBefore((byte) '\n');
            int take = length < 0 ? in.readableBytes() : length;
            if (lineBytes + take > MAX_LINE_BYTES) {
                throw new MalformedReplyException("reply line too long");
            }
            if (lineBytes + take > line.length) {
                line = Arrays.copyOf(line, Math.max(2 * line.length, lineBytes + take));
            }
            in.readBytes(line, lineBytes, take);
            lineBytes += take;
            if (length >= 0) {
                in.skipBytes(1);
                int bytes = lineBytes;
                lineBytes = 0;
                while (bytes > 0 && (line[bytes - 1] == '\r' || line[bytes - 1] == 0)) {
                    bytes--;
                }
                int from = 0;
                while (from < bytes && line[from] == 0) {
                    from++; // protected replies end with a NUL, which is then in front of the next
                }
                take(new String(line, from, bytes - from, StandardCharsets.UTF_8));
            }
        }
    }

    private void take(String text) throws MalformedReplyException {
        replyBytes += text.length() + LINE_BYTES;
        if (replyBytes > MAX_REPLY_BYTES) {
            throw new MalformedReplyException("reply too long");
        }
        lines.add(text);
        if (end == null) {
            if (text.length() < 3 || !isCode(text) || (text.length() > 3 && " -".indexOf(text.charAt(3)) < 0)) {
                throw new MalformedReplyException("not a reply");
            }
            code = Integer.parseInt(text.substring(0, 3));
            if (text.length() > 3 && text.charAt(3) == '-') {
                end = text.substring(0, 3) + " ";
                return;
            }
        } else if (!text.startsWith(end) && !text.equals(end.strip())) {
            return;
        }
        Reply reply = new Reply(code, lines);
        lines.clear();
        replyBytes = 0;
        end = null;
        replies.accept(reply);
    }

    private static boolean isCode(String text) {
        char kind = text.charAt(0);
        return kind >= '1'
                && kind <= '6'
                && Character.digit(text.charAt(1), 10) >= 0
                && Character.digit(text.charAt(2), 10) >= 0;
    }

    /** What a server says that does not speak FTP; the message is a failure's kind. */
    static final class MalformedReplyException extends Exception {

        private static final long serialVersionUID = 1;

        MalformedReplyException(String kind) {
            super(kind);
        }
    }
}
