package org.diperf.plugins.lib.netty;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers requests of HTTP/1.1 whose bodies have a length, one after another. Confined to its {@link LoopbackServer}. */
public final class HttpConversation implements LoopbackServer.Conversation {

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *([0-9]{1,10})");

    private final String type;
    private final UnaryOperator<String> answer;
    private final boolean reads;
    private final StringBuilder head = new StringBuilder();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private long bodyLeft;

    /**
     * @param type of the answers' content
     * @param reads whether the answer depends on the request's body; else that is dropped
     * @param answer makes the body of an answer from that of a request, empty where it is not read
     */
    public HttpConversation(String type, boolean reads, UnaryOperator<String> answer) {
        this.type = type;
        this.reads = reads;
        this.answer = answer;
    }

    @Override
    public boolean take(ByteBuffer in, ByteArrayOutputStream out) {
        while (in.hasRemaining()) {
            if (bodyLeft > 0) {
                byte[] some = new byte[(int) Math.min(bodyLeft, in.remaining())];
                in.get(some);
                bodyLeft -= some.length;
                if (reads) {
                    body.writeBytes(some);
                }
            } else {
                head.append((char) in.get());
                if (!endsHead()) {
                    continue;
                }
                Matcher length = LENGTH.matcher(head);
                bodyLeft = length.find() ? Long.parseLong(length.group(1)) : 0;
            }
            if (bodyLeft == 0) {
                answer(out);
            }
        }
        return true;
    }

    private boolean endsHead() {
        int length = head.length();
        return length >= 4 && head.charAt(length - 1) == '\n' && head.indexOf("\r\n\r\n", length - 4) >= 0;
    }

    private void answer(ByteArrayOutputStream out) {
        byte[] content = answer.apply(body.toString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
        out.writeBytes(("HTTP/1.1 200 OK\r\nServer: diperf\r\nContent-Type: " + type + "\r\nContent-Length: "
                        + content.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        if (head.indexOf("HEAD ") != 0) {
            out.writeBytes(content);
        }
        head.setLength(0);
        body.reset();
    }
}
