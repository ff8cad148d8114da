package org.diperf.core.experiment;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A text that shows a secret: its value, or what becomes of the value where DiPerF or a plugin encodes it.
 *
 * @param text as it would appear
 * @param isBase64 whether it stands within a longer base64 text, whose neighbouring characters hold bits of the value too
 */
record SecretForm(String text, boolean isBase64) {

    /** Lines of a value of several lines that are shorter, such as a brace, are no secrets. */
    private static final int SHORTEST_LINE = 8;
    /** A shorter piece of base64 appears in many texts by chance. */
    private static final int SHORTEST_BASE64 = 4;

    private static final int MAX_NEIGHBOURS = 2;

    /** Lists the forms of a value, the value itself among them. */
    static List<SecretForm> of(String value) {
        Set<String> plain = new LinkedHashSet<>(List.of(value, value.strip()));
        value.lines()
                .map(String::strip)
                .filter(line -> line.length() >= SHORTEST_LINE)
                .forEach(plain::add);
        Set<String> texts = new LinkedHashSet<>();
        Set<String> base64 = new LinkedHashSet<>();
        for (String each : plain) {
            texts.addAll(encoded(each));
            base64.addAll(base64(each.getBytes(StandardCharsets.UTF_8)));
        }
        List<SecretForm> forms = new ArrayList<>();
        texts.forEach(text -> forms.add(new SecretForm(text, false)));
        base64.forEach(text -> forms.add(new SecretForm(text, true)));
        return forms;
    }

    private static List<String> encoded(String value) {
        String query = URLEncoder.encode(value, StandardCharsets.UTF_8);
        String json = value.replace("\\", "\\\\").replace("\"", "\\\"");
        return List.of(
                value,
                value.replace('\n', ' ').replace('\r', ' '),
                // Of a query, of a form, and of a path, which escapes only what a request line cannot hold.
                query,
                query.replace("+", "%20"),
                query.toLowerCase(Locale.ROOT),
                path(value),
                json,
                json.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t"),
                json.replace("/", "\\/"),
                // Of a POSIX shell, within single quotes.
                value.replace("'", "'\\''"),
                xml(value),
                xml(value).replace("'", "&#39;"),
                xml(value).replace("'", "&apos;"));
    }

    private static String path(String value) {
        StringBuilder path = new StringBuilder();
        for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
            if (octet > ' ' && octet < 0x7f) {
                path.append((char) octet);
            } else {
                path.append(String.format(Locale.ROOT, "%%%02X", octet & 0xff));
            }
        }
        return path.toString();
    }

    private static String xml(String value) {
        return value.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /**
     * Lists what every base64 text has that holds these bytes, such as that of {@code user:secret}: by the place at which the
     * bytes begin in a group of three, those characters that depend on no others.
     */
    private static List<String> base64(byte[] bytes) {
        List<String> cores = new ArrayList<>();
        for (int before = 0; before < 3; before++) {
            byte[] shifted = new byte[before + bytes.length];
            System.arraycopy(bytes, 0, shifted, before, bytes.length);
            int from = (before * 8 + 5) / 6;
            int to = shifted.length * 8 / 6;
            if (to - from >= SHORTEST_BASE64) {
                for (Base64.Encoder encoder : Arrays.asList(Base64.getEncoder(), Base64.getUrlEncoder())) {
                    cores.add(encoder.encodeToString(shifted).substring(from, to));
                }
            }
        }
        return cores;
    }

    /** Returns from where on to hide what was found at a place in a text. */
    int beginIn(String found, int at) {
        int begin = at;
        while (isBase64 && begin > 0 && at - begin < MAX_NEIGHBOURS && isOfBase64(found.charAt(begin - 1))) {
            begin--;
        }
        return begin;
    }

    /** Returns up to where to hide what was found at a place in a text. */
    int endIn(String found, int at) {
        int end = at + text.length();
        int behind = end;
        while (isBase64
                && end < found.length()
                && (found.charAt(end) == '=' || end - behind < MAX_NEIGHBOURS && isOfBase64(found.charAt(end)))) {
            end++;
        }
        return end;
    }

    private static boolean isOfBase64(char c) {
        return c >= 'A' && c <= 'Z'
                || c >= 'a' && c <= 'z'
                || c >= '0' && c <= '9'
                || c == '+'
                || c == '/'
                || c == '-'
                || c == '_';
    }

    /** Shows nothing of the value. */
    @Override
    public String toString() {
        return "SecretForm[" + text.length() + "]";
    }
}
