package org.diperf.plugins.gram;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Messages of GRAM: lines of names and values, in the body of an HTTP message. */
final class GramMessage {

    static final int VERSION = 2;
    static final String CONTENT_TYPE = "application/x-globus-gram";
    static final int SIGNAL_COMMIT_REQUEST = 5;
    static final int SIGNAL_COMMIT_END = 10;

    private static final int ALL_STATES = 0xFFFFF;
    private static final String END = "\r\n";

    /** What came is no message of GRAM. */
    static final class MalformedMessageException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedMessageException(String message) {
            super(message);
        }
    }

    private GramMessage() {}

    /**
     * Makes the message that asks for a job.
     *
     * @param callback where its states are told, empty for nowhere
     */
    static String jobRequest(String callback, String rsl) {
        return version() + "job-state-mask: " + ALL_STATES + END + "callback-url: "
                + (callback.isEmpty() ? "\"\"" : callback) + END + "rsl: " + quoted(rsl) + END + "\0";
    }

    /** Makes the message that asks a job manager for something: {@code status}, {@code cancel}, {@code signal 5 }. */
    static String query(String what) {
        return version() + quoted(what) + END + "\0";
    }

    private static String version() {
        return "protocol-version: " + VERSION + END;
    }

    private static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /**
     * Puts a message into a request.
     *
     * @param path on the request line; of a ping it begins with that word
     */
    static byte[] post(String path, String host, String message) {
        byte[] body = message.getBytes(StandardCharsets.UTF_8);
        byte[] head = ("POST " + path + " HTTP/1.1" + END + "Host: " + host + END + "Content-Type: " + CONTENT_TYPE
                        + END + "Content-Length: " + body.length + END + END)
                .getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }

    /** Reads names and values. */
    static Map<String, String> read(String message) throws MalformedMessageException {
        Map<String, String> read = new LinkedHashMap<>();
        int at = 0;
        while (at < message.length() && message.charAt(at) != 0) {
            int colon = message.indexOf(": ", at);
            if (colon < 0 || message.substring(at, colon).indexOf('\r') >= 0) {
                throw new MalformedMessageException("line without a name");
            }
            StringBuilder value = new StringBuilder();
            int from = colon + 2;
            boolean quoted = from < message.length() && message.charAt(from) == '"';
            int end = quoted ? unquote(message, from + 1, value) : message.indexOf('\r', from);
            if (end < 0 || !message.startsWith(END, end)) {
                throw new MalformedMessageException("line without an end");
            }
            read.put(message.substring(at, colon), quoted ? value.toString() : message.substring(from, end));
            at = end + END.length();
        }
        return read;
    }

    /** Takes a value up to its closing quotation mark, and returns what is behind that; -1 where there is none. */
    private static int unquote(String message, int from, StringBuilder into) {
        for (int at = from; at < message.length(); at++) {
            char next = message.charAt(at);
            if (next == '"') {
                return at + 1;
            }
            if (next == '\\' && at + 1 < message.length()) {
                at++;
                next = message.charAt(at);
            }
            into.append(next);
        }
        return -1;
    }

    /**
     * Reads a number that must be there.
     *
     * @throws MalformedMessageException when it is not there, or is no number
     */
    static int number(Map<String, String> message, String name) throws MalformedMessageException {
        String value = message.get(name);
        if (value == null) {
            throw new MalformedMessageException("no " + name);
        }
        try {
            return Integer.parseInt(value.strip());
        } catch (NumberFormatException e) {
            throw new MalformedMessageException(name + " is not a number");
        }
    }
}
