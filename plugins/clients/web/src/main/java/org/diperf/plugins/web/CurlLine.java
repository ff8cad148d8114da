package org.diperf.plugins.web;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.core.spi.Url;
import org.diperf.plugins.web.RecordedBody.Part;
import org.jspecify.annotations.Nullable;

/** Reads command lines of curl, as browsers copy them for a request. Each option is kept, means nothing to a request, or is refused by name. */
final class CurlLine {

    private static final Pattern CURL =
            Pattern.compile("(?s)(?:\\s*#[^\\n]*\\n)*\\s*(?:[$%>]\\s+)?(?:\\S*/)?curl(?:\\.exe)?(?:\\s.*)?");
    private static final Pattern FOR_CMD = Pattern.compile("\\^\"|\\^\\s*\\n");

    /** Files whose types curl and http guess alike; of others curl knows none. */
    private static final Pattern GUESSED = Pattern.compile("(?is).*\\.(gif|jpe?g|png|svg|txt|html?|pdf|xml)");

    private static final String UNKNOWN_TYPE = "application/octet-stream";
    private static final int MAX_REDIRECTS = 50;

    /** Options of one letter. */
    private static final Map<String, String> LONG = pairs("""
            X request  H header  d data  b cookie  A user-agent  e referer  u user  G get  I head  k insecure  L location
            s silent  S show-error  i include  v verbose  f fail  g globoff  N no-buffer  o output  m max-time  F form
            T upload-file  x proxy  U proxy-user  w write-out  c cookie-jar  D dump-header  O remote-name  R remote-time
            J remote-header-name  E cert  r range  z time-cond  C continue-at  K config  n netrc  q disable  j junk-session-cookies
            Z parallel  Y speed-limit  y speed-time  0 http1.0  1 tlsv1  4 ipv4  6 ipv6  p proxytunnel  # progress-bar  : next""");

    /** What curl shows, keeps and waits for, and what is so anyway. */
    private static final Set<String> PASSED = words("""
            silent show-error include verbose fail fail-early fail-with-body no-buffer remote-name remote-name-all
            remote-header-name remote-time remove-on-error create-dirs xattr progress-bar styled-output
            suppress-connect-headers trace-time trace-ids disable junk-session-cookies parallel parallel-immediate
            retry-all-errors retry-connrefused tcp-nodelay tcp-fastopen keepalive false-start ssl ssl-reqd
            ssl-allow-beast ssl-no-revoke ssl-revoke-best-effort ssl-auto-client-cert tlsv1 tlsv1.0 tlsv1.1 tlsv1.2
            basic disallow-username-in-url metalink""");

    private static final Set<String> PASSED_WITH_VALUE = words("""
            output output-dir write-out dump-header stderr trace trace-ascii trace-config libcurl max-time connect-timeout
            expect100-timeout keepalive-time happy-eyeballs-timeout-ms retry retry-delay retry-max-time speed-limit
            speed-time max-filesize parallel-max create-file-mode etag-save hsts alt-svc proto proto-default proto-redir
            cert-type key-type noproxy""");

    private static final Set<String> KEPT_ALONE = words(
            "get head insecure location compressed globoff path-as-is http1.1 http2 http2-prior-knowledge tlsv1.3 next");

    private static final Set<String> KEPT_WITH_VALUE = words("""
            request url url-query header user-agent referer user oauth2-bearer cookie cookie-jar range data data-raw data-ascii
            data-binary data-urlencode json form form-string upload-file max-redirs proxy cacert cert key interface""");

    /** What else to write, for options that no request here can have. */
    private static final Map<String, String> INSTEAD = hints("""
            config: write its options on the line
            netrc netrc-file netrc-optional: write --user NAME:PASSWORD
            digest ntlm ntlm-wb negotiate anyauth aws-sigv4: write the header that it makes, -H 'Authorization: ...'
            http0.9 http1.0 http3 http3-only: drop it; requests are HTTP/1.1, or HTTP/2 with --http2
            resolve connect-to: write the address in the URL, and the name in -H 'Host: NAME'
            ipv4 ipv6: write the address in the URL, and the name in -H 'Host: NAME'
            unix-socket abstract-unix-socket: give the service a TCP port
            socks4 socks4a socks5 socks5-hostname preproxy proxy1.0 proxytunnel: write --proxy http://HOST:PORT
            proxy-user: write --proxy http://NAME:PASSWORD@HOST:PORT
            request-target: write it as the path of the URL
            location-trusted: write --location, which keeps credentials from other hosts
            post301 post302 post303: drop it; redirects are followed by RFC 9110
            time-cond: write -H 'If-Modified-Since: ...'
            continue-at: write --range FROM-
            etag-compare: write -H 'If-None-Match: ...'
            limit-rate rate: drop it; load: in the file says how fast
            tls-max: drop it, and set tls-versions in the file
            ciphers tls13-ciphers: drop it, and set ciphers in the file
            capath crlfile: write --cacert FILE
            form-escape: write the names of --form as they are
            tr-encoding: write -H 'TE: gzip'""");

    private static final Set<String> KNOWN = Stream.of(
                    PASSED, PASSED_WITH_VALUE, KEPT_ALONE, KEPT_WITH_VALUE, INSTEAD.keySet())
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    private final List<String> urls = new ArrayList<>();
    private final List<String> notes;
    private String method = "";
    private boolean globs = true;
    private boolean asIs;
    private boolean asQuery;
    private boolean head;
    private boolean upgrades;
    private boolean follows;
    private int redirects = MAX_REDIRECTS;
    /** Further parameters of http. */
    private final Map<String, Object> with = new LinkedHashMap<>();
    /** Browsers copy names in lower case. */
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    /** Fields of options, which those given as such precede. */
    private final Map<String, String> defaults = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    private final Set<String> removed = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private @Nullable String data;
    private String dataFile = "";
    private String upload = "";
    private final List<String> query = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();

    private CurlLine(List<String> notes) {
        this.notes = notes;
    }

    /**
     * Reads one or more.
     *
     * @throws IllegalArgumentException for one that is none, or has what no request here can have
     */
    static Imported read(String line) {
        if (!CURL.matcher(line).matches()) {
            throw new IllegalArgumentException("expected a line that begins with curl, got '"
                    + line.strip().lines().findFirst().orElse("").replaceFirst("^(.{40}).+", "$1…")
                    + "'; in a browser choose Copy as cURL, of several the one for bash");
        }
        if (FOR_CMD.matcher(line).find()) {
            throw new IllegalArgumentException(
                    "expected a line for bash, got one for the command prompt of Windows, with ^ "
                            + "as escape; choose Copy as cURL (bash)");
        }
        List<RecordedRequest> requests = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (List<String> command : ShellWords.split(line)) {
            int at = command.get(0).matches("[$%>]") && command.size() > 1 ? 1 : 0;
            if (!command.get(at).matches("(?s)(.*/)?curl(\\.exe)?")) {
                throw new IllegalArgumentException("expected commands of curl only, got '" + command.get(at)
                        + "'; drop it, or write quotes around what belongs to the URL");
            }
            List<String> words = command.subList(at + 1, command.size());
            while (true) {
                List<String> rest = new CurlLine(notes).read(words, requests);
                if (rest.isEmpty()) {
                    break;
                }
                words = rest;
            }
        }
        return new Imported(requests, List.of(), notes);
    }

    /** Reads up to the next set of options, which it returns. */
    private List<String> read(List<String> words, List<RecordedRequest> into) {
        int at = 0;
        boolean options = true;
        while (at < words.size()) {
            String word = words.get(at++);
            if (!options || !word.startsWith("-") || word.equals("-")) {
                urls.add(word);
            } else if (word.equals("--")) {
                options = false;
            } else if (word.equals("--next") || word.equals("-:")) {
                break;
            } else if (word.startsWith("--no-")) {
                with.remove(word.substring("--no-".length()));
                follows &= !word.equals("--no-location");
            } else if (word.startsWith("--")) {
                int equals = word.indexOf('=');
                String name = known(word.substring(2, equals < 0 ? word.length() : equals), word);
                boolean separate = takesValue(name) && equals < 0;
                take(name, separate ? next(words, at++, word) : word.substring(equals + 1));
            } else {
                for (int letter = 1; letter < word.length(); letter++) {
                    String option = "-" + word.charAt(letter);
                    String name = known(LONG.getOrDefault(option.substring(1), option), option);
                    if (takesValue(name)) {
                        boolean separate = letter + 1 == word.length();
                        take(name, separate ? next(words, at++, option) : word.substring(letter + 1));
                        break;
                    }
                    take(name, "");
                }
            }
        }
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("expected a curl command with a URL, got none");
        }
        urls.forEach(url -> into.add(request(url)));
        return words.subList(at, words.size());
    }

    private static String next(List<String> words, int at, String option) {
        if (at >= words.size()) {
            throw new IllegalArgumentException("expected a value after " + option + ", got the end of the line");
        }
        return words.get(at);
    }

    private static boolean takesValue(String name) {
        return PASSED_WITH_VALUE.contains(name) || KEPT_WITH_VALUE.contains(name);
    }

    /** Returns the whole name of an option, which may be shortened. */
    private static String known(String name, String shown) {
        List<String> meant = KNOWN.contains(name)
                ? List.of(name)
                : KNOWN.stream().filter(each -> each.startsWith(name)).toList();
        if (meant.size() != 1 || INSTEAD.containsKey(meant.get(0))) {
            throw refused(
                    shown,
                    meant.size() == 1
                            ? INSTEAD.getOrDefault(meant.get(0), "")
                            : "drop it if the request is the same without it");
        }
        return meant.get(0);
    }

    private static IllegalArgumentException refused(String what, String instead) {
        return new IllegalArgumentException(
                "expected curl options that requests of http can have, got '" + what + "'; " + instead);
    }

    private void take(String name, String value) {
        switch (name) {
            case "request" -> method = value;
            case "url" -> urls.add(value);
            case "url-query" -> query.add(value.startsWith("+") ? value.substring(1) : encoded(name, value));
            case "header" -> header(value);
            case "user-agent" -> defaults.put("User-Agent", value);
            case "referer" -> defaults.put("Referer", value.replaceFirst(";auto$", ""));
            case "range" -> defaults.put("Range", "bytes=" + value + (value.contains("-") ? "" : "-"));
            case "oauth2-bearer" -> defaults.put("Authorization", "Bearer " + value);
            case "user" -> {
                if (!value.contains(":")) {
                    throw refused("--user " + value, "write --user " + value + ":PASSWORD");
                }
                defaults.putIfAbsent("Authorization", RecordedRequest.basic(value));
            }
            case "cookie" -> {
                if (!value.isEmpty() && !value.contains("=")) {
                    throw refused("--cookie " + value, "write the cookies themselves, --cookie 'NAME=VALUE; ...'");
                }
                if (value.isEmpty()) {
                    with.put("cookies", "per-iteration");
                } else {
                    defaults.merge("Cookie", value, (one, other) -> one + ";" + other);
                }
            }
            case "cookie-jar" -> with.put("cookies", "per-iteration");
            case "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json" -> data(name, value);
            case "form", "form-string" -> parts.add(part(name, value));
            case "upload-file" -> upload = file("--upload-file", value);
            case "get" -> asQuery = true;
            case "head" -> head = true;
            case "globoff" -> globs = false;
            case "path-as-is" -> asIs = true;
            case "insecure" -> with.put("insecure", true);
            case "compressed" -> with.put("compressed", true);
            case "location" -> follows = true;
            case "max-redirs" ->
                redirects =
                        value.matches("[0-9]{1,2}") ? Math.min(Integer.parseInt(value), MAX_REDIRECTS) : MAX_REDIRECTS;
            case "proxy" -> with.put("proxy", proxy(value));
            case "cacert" -> with.put("ca", value);
            case "key" -> with.put("key", value);
            case "cert" -> {
                if (value.contains(":")) {
                    throw refused(
                            "--cert " + value.replaceFirst(":.*", ":..."), "write a file whose key has no password");
                }
                with.put("cert", value);
            }
            case "interface" -> {
                if (!value.matches("[0-9.]+|[0-9a-fA-F:]*:[0-9a-fA-F:]*")) {
                    throw refused("--interface " + value, "write one of its addresses");
                }
                with.put("source-addresses", List.of(value));
            }
            case "http1.1", "http2", "http2-prior-knowledge" -> {
                upgrades = name.equals("http2");
                with.remove("version");
                if (name.equals("http2-prior-knowledge")) {
                    with.put("version", "2");
                }
            }
            case "tlsv1.3" -> with.put("tls-versions", List.of("TLSv1.3"));
            default -> {
                // of no request
            }
        }
    }

    private void header(String value) {
        Matcher field = Pattern.compile("(?s)([^:;]+)(?:([:;])\\s*(.*))").matcher(value);
        if (value.startsWith("@")) {
            throw refused("--header " + value, "write the header itself");
        }
        if (!field.matches()) {
            // Curl sends nothing for it either.
            return;
        }
        String name = field.group(1).strip();
        String text = field.group(3).strip();
        String lower = name.toLowerCase(Locale.ROOT);
        if (text.isEmpty() && field.group(2).equals(":")) {
            if (lower.matches("accept|user-agent|host")) {
                throw refused("--header " + value, "give it a value; requests of http always have one");
            }
            removed.add(name);
        } else if (lower.equals("transfer-encoding")) {
            throw refused("--header " + value, "drop it; bodies are sent with their length");
        } else if (!lower.equals("content-length")) {
            RecordedRequest.add(headers, name, text);
        }
    }

    // ---- what is sent ----

    private void data(String name, String value) {
        if (name.equals("json")) {
            defaults.put("Content-Type", "application/json");
            defaults.put("Accept", "application/json");
        } else {
            defaults.putIfAbsent("Content-Type", RecordedBody.FORM);
        }
        String joint = name.equals("json") ? "" : "&";
        if (value.startsWith("@") && !name.matches("data-raw|data-urlencode")) {
            dataFile = file("--" + name, value.substring(1));
            if (name.matches("data|data-ascii")) {
                throw refused(
                        "--" + name + " " + value,
                        "write --data-binary " + value + ", which sends its line breaks too");
            }
        } else {
            String piece = name.equals("data-urlencode") ? encoded(name, value) : value;
            data = data == null ? piece : data + joint + piece;
        }
    }

    /** Returns the name of a file that testers read. */
    private static String file(String option, String name) {
        if (name.equals("-") || name.equals(".") || name.isEmpty()) {
            throw refused(option + " from standard input", "write the data on the line, or the name of a file");
        }
        return name;
    }

    /** Escapes {@code content}, {@code =content} or {@code name=content}. */
    private static String encoded(String option, String value) {
        int equals = value.indexOf('=');
        if (equals < 0 && value.contains("@")) {
            throw refused("--" + option + " " + value, "write the content of the file on the line, as name=content");
        }
        return (equals > 0 ? value.substring(0, equals) + "=" : "")
                + URLEncoder.encode(value.substring(equals + 1), StandardCharsets.UTF_8)
                        .replace("*", "%2A")
                        .replace("%7E", "~");
    }

    private static Part part(String option, String value) {
        int equals = value.indexOf('=');
        String name = value.substring(0, Math.max(0, equals));
        String content = value.substring(equals + 1);
        if (equals < 0) {
            throw refused("--" + option + " " + value, "write --" + option + " NAME=CONTENT");
        }
        if (option.equals("form-string")) {
            return new Part(name, content, "", "");
        }
        Matcher pieces = Pattern.compile(
                        "(?s)(?<from>[@<]?)(?:\"(?<quoted>(?:[^\"\\\\]|\\\\.)*)\"|(?<plain>[^;]*))(?<typed>;\\s*type=(?<type>[^;]+))?(?<rest>;.*)?")
                .matcher(content);
        if (!pieces.matches() || pieces.group("from").equals("<")) {
            throw refused("--form " + value, "write the content of the file on the line");
        }
        String rest = pieces.group("rest");
        boolean file = pieces.group("from").equals("@");
        if (rest != null && (file || rest.matches("(?s);\\s*(filename|headers|encoder)=.*"))) {
            throw refused("--form " + value, "write --form NAME=@FILE;type=TYPE, with a file of that name");
        }
        String quoted = pieces.group("quoted");
        String text = quoted != null ? quoted.replaceAll("(?s)\\\\([\"\\\\])", "$1") : pieces.group("plain");
        String type = pieces.group("type") == null ? "" : pieces.group("type").strip();
        return file
                ? new Part(
                        name,
                        "",
                        file("--form", text),
                        type.isEmpty() && !GUESSED.matcher(text).matches() ? UNKNOWN_TYPE : type)
                : new Part(name, text, "", type);
    }

    private static String proxy(String value) {
        String url = value.contains("://") ? value : "http://" + value;
        if (!url.toLowerCase(Locale.ROOT).startsWith("http://")) {
            throw refused("--proxy " + value, "write --proxy http://HOST:PORT");
        }
        return url.matches(".*:[0-9]+/?") ? url.replaceFirst("/$", "") : url.replaceFirst("/$", "") + ":1080";
    }

    // ---- the request ----

    private RecordedRequest request(String given) {
        boolean hasData = (data != null || !dataFile.isEmpty()) && !asQuery;
        if (Stream.of(head, hasData, !parts.isEmpty(), !upload.isEmpty())
                                .filter(is -> is)
                                .count()
                        > 1
                || data != null && !dataFile.isEmpty()) {
            throw new IllegalArgumentException("expected one of --data, --data-binary @FILE, --form, --upload-file and "
                    + "--head, got several; drop all but one");
        }
        RecordedBody body = body(hasData);
        Url url = url(given);
        Map<String, String> sent = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sent.putAll(headers);
        defaults.forEach((name, value) -> {
            if (!value.isEmpty() && (!name.equals("Content-Type") || hasData && !removed.contains(name))) {
                sent.putIfAbsent(name, value);
            }
        });
        RecordedRequest.authorize(url, sent);
        Map<String, Object> client = new LinkedHashMap<>(with);
        if (client.containsKey("compressed") && sent.containsKey("Accept-Encoding")) {
            notes.add("Accept-Encoding is gzip, deflate, which http unpacks, for '" + sent.remove("Accept-Encoding")
                    + "'.");
        }
        if (follows) {
            client.put("follow", (long) redirects);
        }
        if (upgrades) {
            if (url.scheme().equals("http")) {
                throw refused("--http2 " + given, "write --http2-prior-knowledge, or drop it");
            }
            client.put("version", "2");
        }
        String implied = head ? "HEAD" : !upload.isEmpty() ? "PUT" : hasData || !parts.isEmpty() ? "POST" : "GET";
        return new RecordedRequest(
                "",
                method.isEmpty() ? implied : method,
                url,
                sent,
                Map.of(),
                body,
                0,
                0,
                RecordedRequest.Answer.UNKNOWN,
                client);
    }

    private RecordedBody body(boolean hasData) {
        if (!upload.isEmpty()) {
            return new RecordedBody.Stored(upload);
        }
        if (!parts.isEmpty()) {
            RecordedBody.Parts all = new RecordedBody.Parts(parts);
            if (!all.isPlain() && parts.stream().anyMatch(part -> !part.file().isEmpty())) {
                throw refused("--form", "write each name once, and a type for files only, or write body-file by hand");
            }
            return all;
        }
        if (!dataFile.isEmpty()) {
            if (asQuery) {
                throw refused("--get with @" + dataFile, "write the data on the line");
            }
            return new RecordedBody.Stored(dataFile);
        }
        return hasData ? new RecordedBody.Plain(String.valueOf(data)) : RecordedBody.NONE;
    }

    private Url url(String given) {
        String full = given.matches("(?is)[a-z][a-z0-9+.-]*://.*") ? given : "http://" + given;
        if (globs && full.replaceFirst("//(?:[^/]*@)?\\[[^/]*\\]", "").matches("(?s).*[\\[\\]{}].*")) {
            throw new IllegalArgumentException(
                    "expected one URL, got '" + given
                            + "', whose brackets make several for curl; add --globoff if they mean themselves, or write each URL");
        }
        if (asIs && full.matches("(?s).*/\\.\\.?(?:[/?#].*)?")) {
            throw refused("--path-as-is " + given, "write the path without . and .., which requests do not have");
        }
        List<String> more = new ArrayList<>(query);
        if (asQuery && data != null) {
            more.add(data);
        }
        String before = full.replaceFirst("(?s)#.*", "");
        String joined = String.join("&", more);
        String joint = joined.isEmpty() || before.matches("(?s).*[?&]") ? "" : before.contains("?") ? "&" : "?";
        try {
            Url url = RecordedRequest.url(before + joint + joined);
            // What has no name gets that of its file.
            return !upload.isEmpty() && url.path().endsWith("/")
                    ? url.resolve(url.path()
                            + upload.replaceFirst(".*/", "")
                            + (url.query() == null ? "" : "?" + url.query()))
                    : url;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected a URL of http or https, got '" + given + "': " + e.getMessage(), e);
        }
    }

    // ---- the tables ----

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new HashMap<>();
        String[] words = text.strip().split("\\s+");
        for (int i = 0; i < words.length; i += 2) {
            pairs.put(words[i], words[i + 1]);
        }
        return Map.copyOf(pairs);
    }

    private static Map<String, String> hints(String text) {
        Map<String, String> hints = new HashMap<>();
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            words(line.substring(0, colon)).forEach(name -> hints.put(name, line.substring(colon + 2)));
        });
        return Map.copyOf(hints);
    }
}
