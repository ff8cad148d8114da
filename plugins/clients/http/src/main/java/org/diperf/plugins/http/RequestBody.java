package org.diperf.plugins.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

/**
 * What a request carries: a text, a file, a form, or the parts of an upload. Files are read when it is made and shared by all clients.
 * Immutable.
 */
final class RequestBody {

    /** Names of the parameters of which a request has at most one. */
    static final List<String> PARAMETERS = List.of("body", "body-file", "form", "multipart");

    /** Of one file, and of a whole body that is the same for all calls. */
    private static final long MAX_BYTES = 256L << 20;
    /** Of a body that is made anew for every call. */
    private static final long MAX_VARYING_BYTES = 16L << 20;

    private static final String FORM_TYPE = "application/x-www-form-urlencoded";

    /** Stands between parts; long enough to be in none of them. */
    private static final String BOUNDARY = "diperf-5f3a9c1e7b2d4f60a8c4-part";

    private static final Pattern FILE_OF_PART =
            Pattern.compile("@(?<path>[^;]+)(?:;\\s*type=(?<type>[^;\\s]+/[^;\\s]+))?");
    private static final byte[] NOTHING = {};

    /** A piece of it. */
    private interface Piece {
        void write(Function<Text, String> filled, ByteArrayOutputStream into);
    }

    private final @Nullable String contentType;
    private final List<Piece> pieces;
    private final byte @Nullable [] constant;

    private RequestBody(@Nullable String contentType, List<Piece> pieces, boolean varies, long fileBytes) {
        this.contentType = contentType;
        this.pieces = List.copyOf(pieces);
        long most = varies ? MAX_VARYING_BYTES : MAX_BYTES;
        if (fileBytes > most) {
            throw new IllegalArgumentException("expected at most " + (most >> 20) + " MiB of files in a body"
                    + (varies ? " that is rebuilt for every call" : "") + ", got " + fileBytes + " bytes");
        }
        this.constant = varies ? null : bytes(Text::fixed);
    }

    /**
     * Reads what a request carries.
     *
     * @throws IOException when a file cannot be read
     */
    static RequestBody of(Parameters with) throws IOException {
        if (with.has("body-file")) {
            return ofFile("body-file", with.string("body-file"));
        }
        if (with.has("form")) {
            return ofForm(with.textMap("form"));
        }
        if (with.has("multipart")) {
            return ofParts(with.textMap("multipart"));
        }
        if (!with.has("body")) {
            return new RequestBody(null, List.of(), false, 0);
        }
        Text text = with.text("body");
        String file = file(text);
        if (file != null) {
            return ofFile("body", file);
        }
        boolean escaped = text.toString().startsWith("@@");
        return new RequestBody(
                null,
                List.of((filled, into) ->
                        into.writeBytes(utf8(filled.apply(text).substring(escaped ? 1 : 0)))),
                !text.isConstant(),
                0);
    }

    /**
     * Checks what can be checked without the tester's files.
     *
     * @throws IllegalArgumentException when it cannot be used
     */
    static void check(Parameters with) {
        List<String> given = PARAMETERS.stream().filter(with::has).toList();
        if (given.size() > 1) {
            throw new IllegalArgumentException(
                    given.get(0) + ": expected one of " + PARAMETERS + ", got " + given + "; drop one");
        }
        if (with.has("body")) {
            file(with.text("body"));
        }
        checkType(with);
        boolean sends = with.has("form") || with.has("multipart");
        if (sends && !RequestWriter.WITH_BODY.contains(with.string("method"))) {
            throw new IllegalArgumentException(given.get(0) + ": expected a method that sends a body, got method: "
                    + with.string("method") + "; add method: POST");
        }
        with.textMap("multipart").forEach((name, text) -> part(name, text));
    }

    private static @Nullable String file(Text text) {
        String source = text.toString();
        if (!source.startsWith("@") || source.startsWith("@@")) {
            return null;
        }
        if (!text.isConstant() || source.length() == 1) {
            throw new IllegalArgumentException("body: expected a fixed file name after @, got '" + source
                    + "'; write @@ for a body that begins with @");
        }
        return text.fixed().substring(1);
    }

    private static RequestBody ofFile(String parameter, String path) throws IOException {
        byte[] content = read(parameter, path);
        return new RequestBody(null, List.of((filled, into) -> into.writeBytes(content)), false, content.length);
    }

    private static byte[] read(String parameter, String path) throws IOException {
        Path file = Path.of(path);
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new IOException(parameter + ": expected a readable file on the tester, got none at '" + path
                    + "'; use deploy to send files to testers on other machines");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(parameter + ": expected a file of at most " + (MAX_BYTES >> 20) + " MiB, got "
                    + Files.size(file) + " bytes in " + path);
        }
        return Files.readAllBytes(file);
    }

    /** A form or an upload under another type, or an upload without its boundary, is read by no server. */
    private static void checkType(Parameters with) {
        with.textMap("headers").forEach((name, type) -> {
            boolean isType = name.equalsIgnoreCase("Content-Type") && type.isConstant();
            if (isType && with.has("multipart")) {
                throw new IllegalArgumentException(
                        "multipart: expected no Content-Type in headers, because multipart sets"
                                + " it with its boundary, got '" + type + "'; drop that header");
            }
            if (isType && with.has("form") && !type.toString().matches("(?i)\\s*" + FORM_TYPE + "\\s*(;.*)?")) {
                throw new IllegalArgumentException("form: expected Content-Type: " + FORM_TYPE + ", got '" + type
                        + "'; drop that header, or use multipart or body");
            }
        });
    }

    // ---- a form ----

    private static RequestBody ofForm(Map<String, Text> fields) {
        List<Piece> pieces = new ArrayList<>();
        fields.forEach((name, value) -> {
            byte[] before = utf8((pieces.isEmpty() ? "" : "&") + encoded(name) + "=");
            pieces.add((filled, into) -> {
                into.writeBytes(before);
                into.writeBytes(utf8(encoded(filled.apply(value))));
            });
        });
        return new RequestBody(FORM_TYPE, pieces, varies(fields), 0);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    // ---- the parts of an upload ----

    /** @param path of its file; {@code null}: it is a text */
    private record Part(@Nullable String path, String type) {}

    private static Part part(String name, Text text) {
        String source = text.toString();
        if (!source.startsWith("@") || source.startsWith("@@")) {
            return new Part(null, "");
        }
        Matcher file = FILE_OF_PART.matcher(source);
        if (!text.isConstant() || !file.matches()) {
            throw new IllegalArgumentException("multipart: expected a fixed @FILE or @FILE;type=TYPE/SUBTYPE for "
                    + "'" + name
                    + "', got '" + source + "'; write @@ for text that begins with @");
        }
        String path = file.group("path").strip();
        String guessed = URLConnection.guessContentTypeFromName(path);
        String type = file.group("type");
        return new Part(path, type != null ? type : guessed != null ? guessed : "application/octet-stream");
    }

    private static RequestBody ofParts(Map<String, Text> parts) throws IOException {
        List<Piece> pieces = new ArrayList<>();
        long fileBytes = 0;
        for (Map.Entry<String, Text> each : parts.entrySet()) {
            Text text = each.getValue();
            Part part = part(each.getKey(), text);
            String head =
                    "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + quoted(each.getKey()) + "\"";
            String path = part.path;
            if (path == null) {
                byte[] before = utf8(head + "\r\n\r\n");
                boolean escaped = text.toString().startsWith("@@");
                pieces.add((filled, into) -> {
                    into.writeBytes(before);
                    into.writeBytes(utf8(filled.apply(text).substring(escaped ? 1 : 0)));
                });
            } else {
                byte[] content = read("multipart", path);
                fileBytes += content.length;
                Path name = Path.of(path).getFileName();
                byte[] before = utf8(head + "; filename=\"" + quoted(String.valueOf(name)) + "\"\r\nContent-Type: "
                        + part.type + "\r\n\r\n");
                pieces.add((filled, into) -> {
                    into.writeBytes(before);
                    into.writeBytes(content);
                });
            }
            byte[] end = utf8("\r\n");
            pieces.add((filled, into) -> into.writeBytes(end));
        }
        byte[] last = utf8("--" + BOUNDARY + "--\r\n");
        pieces.add((filled, into) -> into.writeBytes(last));
        return new RequestBody("multipart/form-data; boundary=" + BOUNDARY, pieces, varies(parts), fileBytes);
    }

    /** Writes a name as browsers do (WHATWG HTML, multipart/form-data). */
    private static String quoted(String name) {
        return name.replace("\r", "%0D").replace("\n", "%0A").replace("\"", "%22");
    }

    // ---- both ----

    private static boolean varies(Map<String, Text> texts) {
        return texts.values().stream().anyMatch(text -> !text.isConstant());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private byte[] bytes(Function<Text, String> filled) {
        if (pieces.isEmpty()) {
            return NOTHING;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Piece piece : pieces) {
            piece.write(filled, bytes);
        }
        return bytes.toByteArray();
    }

    /** Returns whether it is the same for all calls. */
    boolean isConstant() {
        return constant != null;
    }

    /**
     * Returns its bytes; always the same object where it is constant.
     *
     * @param filled fills in what changes from call to call
     */
    byte[] of(Function<Text, String> filled) {
        byte[] same = constant;
        return same == null ? bytes(filled) : same;
    }

    /** Names its type for a header that has none; {@code null}: it does not say. */
    @Nullable
    String contentType() {
        return contentType;
    }
}
