package org.diperf.core.spi;

import java.io.ByteArrayOutputStream;
import java.net.IDN;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An absolute URL, read as browsers and curl read it (WHATWG URL), such as the target of a call. Unlike {@link java.net.URI} it takes what people
 * have: underscores in host names, braces and lone percent signs in paths, text that is not ASCII, and schemes with rules of their own, such
 * as {@code jdbc:}. It departs from the standard in one point: hosts are read alike whatever the scheme, because each is looked up. Immutable;
 * equal to another of the same text.
 */
public final class Url {

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)", Pattern.DOTALL);
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:(.*)@)?(\\[[^\\]@]*]|[^:\\[\\]]*)(?::([^:]*))?", Pattern.DOTALL);
    private static final Pattern FORBIDDEN_IN_HOST = Pattern.compile("[\\x00-\\x20\\x7f#/:<>?@\\[\\\\\\]^|%]");
    /** The standard's special schemes but {@code file}, with which nothing can be called. */
    private static final Set<String> SPECIAL = Set.of("http", "https", "ws", "wss", "ftp");

    private static final String EXPECTED = "expected a URL such as http://127.0.0.1:8080/, got '";
    private static final String NOT_IN_PATHS = "\"#<>?^`{}";
    private static final String NOT_IN_QUERIES = "\"#<>";
    private static final int MAX_PORT = 65_535;

    private final String text;
    private final String scheme;
    private final @Nullable String userInfo;
    private final @Nullable String host;
    private final int port;
    private final String path;
    private final @Nullable String query;

    private Url(String given) {
        String bare = given.replaceAll("^[\\x00-\\x20]+|[\\x00-\\x20]+$|[\\t\\r\\n]", "");
        Matcher parts = SCHEME.matcher(bare);
        if (!parts.matches() || parts.group(2).isEmpty()) {
            throw refused(
                    bare, parts.matches() ? "there is nothing after its scheme" : "it has no scheme such as http://");
        }
        text = bare;
        scheme = parts.group(1).toLowerCase(Locale.ROOT);
        boolean special = SPECIAL.contains(scheme);
        String rest = parts.group(2).replaceFirst("(?s)#.*", "");
        int question = rest.indexOf('?');
        query = question < 0
                ? null
                : encoded(rest.substring(question + 1), special ? NOT_IN_QUERIES + "'" : NOT_IN_QUERIES);
        rest = question < 0 ? rest : rest.substring(0, question);
        if (special) {
            rest = "//" + rest.replace('\\', '/').replaceFirst("^/*", "");
        }
        if (!rest.startsWith("//")) {
            userInfo = null;
            host = null;
            port = -1;
            path = rest.startsWith("/") ? withoutDots(encoded(rest, NOT_IN_PATHS)) : rest;
            return;
        }
        int slash = rest.indexOf('/', 2);
        String authority = rest.substring(2, slash < 0 ? rest.length() : slash);
        Matcher server = AUTHORITY.matcher(authority);
        if (!server.matches()) {
            throw refused(
                    bare,
                    "expected HOST or HOST:PORT, IPv6 addresses in brackets, got '" + authority.replaceFirst(".*@", "")
                            + "'");
        }
        userInfo = server.group(1);
        host = server.group(2).isEmpty() ? null : host(bare, server.group(2));
        if (special && host == null) {
            throw refused(bare, "it has no host");
        }
        port = port(bare, server.group(3));
        String encoded = slash < 0 ? "" : withoutDots(encoded(rest.substring(slash), NOT_IN_PATHS));
        path = special && encoded.isEmpty() ? "/" : encoded;
    }

    /**
     * Reads a URL.
     *
     * @param text whose blanks at both ends, and line breaks anywhere, count for nothing
     * @throws IllegalArgumentException when it is none; the message says why, without a password
     */
    public static Url of(String text) {
        return new Url(text);
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException(EXPECTED + masked(text) + "': " + why);
    }

    private static String host(String text, String given) {
        if (given.startsWith("[")) {
            String address = given.substring(1, given.length() - 1);
            try {
                if (address.indexOf(':') >= 0) {
                    InetAddress.getByName(address.replaceFirst("%.*", ""));
                    return address.toLowerCase(Locale.ROOT).replace("%25", "%");
                }
            } catch (UnknownHostException e) {
                // said below
            }
            throw refused(text, "expected an IPv6 address in brackets, got '" + given + "'");
        }
        String decoded = decoded(given);
        String name;
        try {
            name = isAscii(decoded) ? decoded : IDN.toASCII(decoded, IDN.ALLOW_UNASSIGNED);
        } catch (IllegalArgumentException e) {
            throw refused(text, "the host name cannot be written in ASCII: " + e.getMessage());
        }
        Matcher forbidden = FORBIDDEN_IN_HOST.matcher(name);
        if (forbidden.find()) {
            throw refused(text, "a host name cannot contain '" + OneLine.of(forbidden.group(), 9) + "'");
        }
        name = name.toLowerCase(Locale.ROOT);
        return name.matches("(.*\\.)?([0-9]+|0x[0-9a-f]*)\\.?") ? address(text, name) : name;
    }

    /** Reads an IPv4 address, of which parts may be missing, octal or hexadecimal. */
    private static String address(String text, String name) {
        String[] parts = name.split("\\.");
        long address = 0;
        boolean usable = parts.length <= 4;
        for (int i = 0; usable && i < parts.length; i++) {
            boolean last = i == parts.length - 1;
            boolean hexadecimal = parts[i].startsWith("0x");
            String digits = hexadecimal ? parts[i].substring(2) : parts[i];
            int radix = hexadecimal ? 16 : digits.length() > 1 && digits.startsWith("0") ? 8 : 10;
            long most = last ? (1L << 8 * (5 - parts.length)) - 1 : 255;
            try {
                long part = hexadecimal && digits.isEmpty() ? 0 : Long.parseLong(digits, radix);
                usable = part >= 0 && part <= most;
                address += last ? part : part << 8 * (3 - i);
            } catch (NumberFormatException e) {
                usable = false;
            }
        }
        if (!usable) {
            throw refused(text, "expected an IPv4 address, got '" + name + "'");
        }
        return (address >> 24) + "." + (address >> 16 & 255) + "." + (address >> 8 & 255) + "." + (address & 255);
    }

    private static int port(String text, @Nullable String given) {
        if (given == null || given.isEmpty()) {
            return -1;
        }
        if (!given.matches("0*[0-9]{1,5}") || Integer.parseInt(given) > MAX_PORT) {
            throw refused(text, "expected a port from 1 to 65535, got " + given);
        }
        return Integer.parseInt(given);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    /** Encodes what is no printable ASCII, and the characters given. */
    private static String encoded(String text, String also) {
        StringBuilder made = new StringBuilder(text.length());
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet > ' ' && octet < 0x7f && also.indexOf(octet) < 0) {
                made.append((char) octet);
            } else {
                made.append(String.format(Locale.ROOT, "%%%02X", octet & 0xff));
            }
        }
        return made.toString();
    }

    private static String withoutDots(String path) {
        List<String> kept = new ArrayList<>();
        String[] segments = path.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String plain = segments[i].replaceAll("(?i)%2e", ".");
            boolean up = plain.equals("..");
            if (up && !kept.isEmpty()) {
                kept.remove(kept.size() - 1);
            }
            if (!up && !plain.equals(".")) {
                kept.add(segments[i]);
            } else if (i == segments.length - 1) {
                kept.add("");
            }
        }
        return "/" + String.join("/", kept);
    }

    /** Returns a text with what was percent-encoded in it, as UTF-8; a percent sign that encodes nothing stays. */
    public static String decoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        byte[] given = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < given.length; i++) {
            int high = given[i] == '%' && i + 2 < given.length ? Character.digit(given[i + 1], 16) : -1;
            int low = high >= 0 ? Character.digit(given[i + 2], 16) : -1;
            octets.write(low >= 0 ? high << 4 | low : given[i]);
            i += low >= 0 ? 2 : 0;
        }
        return octets.toString(StandardCharsets.UTF_8);
    }

    /**
     * Resolves a reference to this URL, such as a {@code Location} of HTTP.
     *
     * @throws IllegalArgumentException when that makes no URL
     */
    public Url resolve(String reference) {
        String given = reference.strip();
        boolean special = SPECIAL.contains(scheme);
        Matcher absolute = SCHEME.matcher(given);
        if (absolute.matches()) {
            // Old, but browsers follow it: the scheme alone, and then a relative reference.
            boolean relative = special
                    && scheme.equalsIgnoreCase(absolute.group(1))
                    && !absolute.group(2).matches("(?s)[/\\\\].*");
            if (!relative) {
                return new Url(given);
            }
            given = absolute.group(2);
        }
        String plain = special ? given.replaceFirst("^\\\\", "/").replaceFirst("^/\\\\", "//") : given;
        if (plain.startsWith("//")) {
            return new Url(scheme + ":" + plain);
        }
        String base =
                host == null ? scheme + ":" : scheme + "://" + (userInfo == null ? "" : userInfo + "@") + authority();
        if (plain.startsWith("/")) {
            return new Url(base + plain);
        }
        if (plain.isEmpty() || plain.startsWith("#")) {
            return new Url(base + pathAndQuery() + plain);
        }
        String folder = path.isEmpty() && host != null ? "/" : path.substring(0, path.lastIndexOf('/') + 1);
        return new Url(base + (plain.startsWith("?") ? path : folder) + plain);
    }

    /** Returns it as it was given, with a password that may be in it; to be shown, see {@link #toString}. */
    public String text() {
        return text;
    }

    /** Returns the scheme, in lower case. */
    public String scheme() {
        return scheme;
    }

    /** Returns the user, decoded; empty: none. */
    public String user() {
        return userInfo == null ? "" : decoded(userInfo.replaceFirst("(?s):.*", ""));
    }

    /** Returns the password, decoded; {@code null}: none. */
    public @Nullable String password() {
        return userInfo == null || userInfo.indexOf(':') < 0
                ? null
                : decoded(userInfo.substring(userInfo.indexOf(':') + 1));
    }

    /** Returns the host: a name in ASCII and in lower case, or an address, IPv6 without brackets; {@code null}: none. */
    public @Nullable String host() {
        return host;
    }

    /** Returns the port, up to 65,535; -1: none is given. */
    public int port() {
        return port;
    }

    /** Returns host and port as URLs have them; empty: none. */
    public String authority() {
        if (host == null) {
            return "";
        }
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + (port < 0 ? "" : ":" + port);
    }

    /** Returns the path, percent-encoded, without dot segments; what follows the scheme where there is no host and no slash. */
    public String path() {
        return path;
    }

    /** Returns the query, percent-encoded; {@code null}: none. */
    public @Nullable String query() {
        return query;
    }

    /** Returns path and query as a request line has them. */
    public String pathAndQuery() {
        return query == null ? path : path + "?" + query;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Url url && url.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Returns it as it was given, with asterisks for the password. */
    @Override
    public String toString() {
        return masked(text);
    }

    private static String masked(String text) {
        return text.replaceFirst("(?s)^([^/\\\\?#]*[/\\\\]+[^/\\\\?#:]*:)[^/\\\\?#]*@", "$1***@");
    }
}
