package org.diperf.plugins.ssh;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a user's {@code ~/.ssh/config} says of a host, as in ssh_config(5): {@code Host} with patterns, {@code Match} by host
 * names, and {@code Include}; for each keyword the first value counts, and {@code IdentityFile} adds up. Immutable.
 *
 * <p><b>Caveats.</b> Blocks of {@code Match} with any other criterion apply to no host, and {@code ProxyCommand} is noticed and
 * not used. JSch's own reader knows neither {@code Match} nor {@code Include}.
 */
final class SshConfig {

    /** Says nothing of any host. */
    static final SshConfig NONE = new SshConfig(List.of(), Path.of(""));

    private static final int MAX_INCLUDES = 16;
    private static final long MAX_BYTES = 1 << 20;
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|[^\\s\"]+");
    private static final Pattern KEYWORD = Pattern.compile("\\s*([A-Za-z]+)(?:\\s*=\\s*|\\s+)(.*)");

    /**
     * A line, or what an {@code Include} stands for.
     *
     * @param keyword in lower case
     * @param words its arguments without quotes
     * @param where file and number of the line
     * @param included lines of each file that it includes
     */
    private record Line(String keyword, List<String> words, String where, List<List<Line>> included) {}

    /**
     * What is said of one host.
     *
     * @param hostName name or address to connect to
     * @param user name there, {@code null}: not said
     * @param port {@code 0}: not said
     * @param keys private key files, in the order in which to try them; some may not exist
     * @param onlyThese whether keys of the agent are not to be tried
     * @param jumps through which it is reached, the first one first
     * @param knownAs its name in {@code known_hosts}, {@code null}: that of {@code hostName}
     * @param hasCommand whether a {@code ProxyCommand} leads there
     */
    record Entry(
            String hostName,
            @Nullable String user,
            int port,
            List<Path> keys,
            boolean onlyThese,
            List<String> jumps,
            @Nullable String knownAs,
            boolean hasCommand) {}

    private final List<Line> lines;
    private final Path folder;

    private SshConfig(List<Line> lines, Path folder) {
        this.lines = lines;
        this.folder = folder;
    }

    /**
     * Reads a file and what it includes.
     *
     * @param folder what relative names in {@code Include} refer to, {@code ~/.ssh} as a rule; its parent is the home
     * @throws IOException when it cannot be read, with the reason
     */
    static SshConfig read(Path file, Path folder) throws IOException {
        return new SshConfig(lines(file, folder, 0), folder);
    }

    private static List<Line> lines(Path file, Path folder, int depth) throws IOException {
        if (depth > MAX_INCLUDES) {
            throw new IOException(file + ": expected at most " + MAX_INCLUDES
                    + " levels of nested includes, got more; does a file include itself?");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + ": expected an ssh configuration of at most " + (MAX_BYTES >> 20)
                    + " MiB, got " + Files.size(file) + " bytes");
        }
        List<Line> lines = new ArrayList<>();
        // Any bytes are text, as for ssh.
        String[] texts = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\\R");
        for (int i = 0; i < texts.length; i++) {
            Matcher parts = KEYWORD.matcher(texts[i]);
            if (parts.matches()) {
                String keyword = parts.group(1).toLowerCase(Locale.ROOT);
                List<String> words = words(parts.group(2));
                List<List<Line>> included = new ArrayList<>();
                for (String name : keyword.equals("include") ? words : List.<String>of()) {
                    for (Path each : named(name, folder)) {
                        included.add(lines(each, folder, depth + 1));
                    }
                }
                lines.add(new Line(keyword, words, file + " line " + (i + 1), included));
            }
        }
        return lines;
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(text);
        while (word.find() && !word.group().startsWith("#")) {
            words.add(word.group(1) != null ? word.group(1) : word.group());
        }
        return List.copyOf(words);
    }

    /** Finds the files that an {@code Include} names; its last part may be a pattern. Files that are not there are none. */
    private static Iterable<Path> named(String name, Path folder) throws IOException {
        Path path = folder.resolve(Paths.expand(name));
        Path parent = path.getParent();
        Path last = path.getFileName();
        if (parent == null || last == null || !Files.isDirectory(parent)) {
            return List.of();
        }
        TreeSet<Path> found = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(parent, last.toString())) {
            files.forEach(file -> {
                if (Files.isRegularFile(file)) {
                    found.add(file);
                }
            });
        }
        return found;
    }

    /** Returns whether it names a key for any host. */
    boolean namesKeys() {
        return namesKeys(lines);
    }

    private static boolean namesKeys(List<Line> lines) {
        return lines.stream()
                .anyMatch(line -> line.keyword.equals("identityfile")
                        || line.included.stream().anyMatch(SshConfig::namesKeys));
    }

    /**
     * Returns what is said of a host.
     *
     * @param host as the experiment names it
     * @param user as the experiment names it, {@code null}: it does not
     * @throws IllegalArgumentException when a value cannot be used, with its place
     */
    Entry of(String host, @Nullable String user) {
        Map<String, Line> first = new HashMap<>();
        List<Line> keys = new ArrayList<>();
        collect(lines, host, first, keys);
        String hostName = hostName(host, first);
        String name = user != null ? user : word(first, "user");
        List<Path> files = new ArrayList<>();
        for (Line key : keys) {
            Path file = key(key.words.get(0), host, hostName, name);
            if (file != null) {
                files.add(file);
            }
        }
        String jumps = word(first, "proxyjump");
        String command = word(first, "proxycommand");
        return new Entry(
                hostName,
                word(first, "user"),
                port(first.get("port")),
                List.copyOf(files),
                "yes".equalsIgnoreCase(word(first, "identitiesonly")),
                jumps == null || jumps.equalsIgnoreCase("none")
                        ? List.of()
                        : Stream.of(jumps.split(","))
                                .map(jump -> jump.replaceFirst("^ssh://", ""))
                                .toList(),
                word(first, "hostkeyalias"),
                jumps == null && command != null && !command.equalsIgnoreCase("none"));
    }

    /** Takes the first line of each keyword that applies to the host. */
    private static void collect(List<Line> lines, String host, Map<String, Line> first, List<Line> keys) {
        boolean applies = true;
        for (Line line : lines) {
            if (line.keyword.equals("host")) {
                applies = matches(line.words, host);
            } else if (line.keyword.equals("match")) {
                applies = applies(line.words, host, hostName(host, first));
            } else if (applies && line.keyword.equals("include")) {
                line.included.forEach(file -> collect(file, host, first, keys));
            } else if (applies && !line.words.isEmpty()) {
                first.putIfAbsent(line.keyword, line);
                if (line.keyword.equals("identityfile")) {
                    keys.add(line);
                }
            }
        }
    }

    private static boolean applies(List<String> criteria, String host, String hostName) {
        if (criteria.equals(List.of("all"))) {
            return true;
        }
        boolean applies = !criteria.isEmpty() && criteria.size() % 2 == 0;
        for (int i = 0; applies && i < criteria.size(); i += 2) {
            List<String> patterns = Arrays.asList(criteria.get(i + 1).split(","));
            applies = switch (criteria.get(i).toLowerCase(Locale.ROOT)) {
                case "host" -> matches(patterns, hostName);
                case "originalhost" -> matches(patterns, host);
                default -> false;
            };
        }
        return applies;
    }

    /** Returns whether one of the patterns matches, and none of those that begin with an exclamation mark. */
    private static boolean matches(List<String> patterns, String host) {
        boolean matches = false;
        for (String pattern : patterns) {
            boolean not = pattern.startsWith("!");
            if (matches(not ? pattern.substring(1) : pattern, host)) {
                if (not) {
                    return false;
                }
                matches = true;
            }
        }
        return matches;
    }

    private static boolean matches(String pattern, String host) {
        StringBuilder regex = new StringBuilder("(?i)");
        for (char c : pattern.toCharArray()) {
            regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return host.matches(regex.toString());
    }

    private static String hostName(String host, Map<String, Line> first) {
        String given = word(first, "hostname");
        return given == null
                ? host
                : given.replace("%%", "\0").replace("%h", host).replace("\0", "%");
    }

    private static @Nullable String word(Map<String, Line> first, String keyword) {
        Line line = first.get(keyword);
        return line == null ? null : line.words.get(0);
    }

    private static int port(@Nullable Line line) {
        if (line == null) {
            return 0;
        }
        String text = line.words.get(0);
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > 65_535) {
            throw new IllegalArgumentException(
                    line.where + ": expected a port from 1 to 65535, got '" + text + "'; correct it");
        }
        return Integer.parseInt(text);
    }

    /** Fills in the name of a key's file; {@code null}: it is none, or has tokens that mean nothing here. */
    private @Nullable Path key(String text, String host, String hostName, @Nullable String user) {
        String local = System.getProperty("user.name");
        String filled = text.replace("%%", "\0")
                .replace("%d", String.valueOf(folder.toAbsolutePath().getParent()))
                .replace("%h", hostName)
                .replace("%n", host)
                .replace("%r", user == null ? local : user)
                .replace("%u", local);
        return filled.contains("%") || filled.equalsIgnoreCase("none") ? null : Paths.expand(filled.replace("\0", "%"));
    }
}
