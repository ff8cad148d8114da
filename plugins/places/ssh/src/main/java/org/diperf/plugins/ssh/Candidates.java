package org.diperf.plugins.ssh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.spi.Nearest;

/** Reads the candidates from {@code testbed.candidates} or from a list of hosts. */
final class Candidates {

    private static final List<String> KEYS = List.of("host", "port", "user", "labels");
    private static final long MAX_BYTES = 16 << 20;

    private Candidates() {}

    /**
     * Reads what stands in the experiment file.
     *
     * @param tree a list of texts and mappings, or the name of a file with one candidate a line
     * @param usual where a candidate names no user or port
     * @throws IllegalArgumentException with what was wanted and what was found
     * @throws IOException when the file cannot be read
     */
    static List<Candidate> read(Object tree, LogIns usual) throws IOException {
        if (tree instanceof List<?> list) {
            List<Candidate> candidates = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                try {
                    candidates.add(one(list.get(i), usual));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("testbed.candidates." + i + ": " + e.getMessage(), e);
                }
            }
            return distinct(candidates, "testbed.candidates");
        }
        if (tree instanceof String file) {
            return file(Paths.expand(file), usual);
        }
        throw new IllegalArgumentException("testbed.candidates: expected a list such as [alice@10.0.0.5:22] or"
                + " [{host: 10.0.0.5, user: alice}], or the name of a file of hosts, got '" + tree + "'");
    }

    /**
     * Reads a file with {@code [user@]host[:port] label=value...} a line; {@code #} begins a comment.
     *
     * @throws IllegalArgumentException with file, line and what was wanted
     */
    static List<Candidate> file(Path file, LogIns usual) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("expected a file with one host per line, got no file " + file.toAbsolutePath()
                    + "; paths are relative to where diperf is started");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(
                    "expected a file with one host per line, got " + Files.size(file) + " bytes" + " in " + file);
        }
        List<Candidate> candidates = new ArrayList<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("(^|\\s)#.*", "").strip();
            if (!line.isEmpty()) {
                try {
                    candidates.add(line(line, usual));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(file + " line " + (i + 1) + ": " + e.getMessage(), e);
                }
            }
        }
        return distinct(candidates, file.toString());
    }

    private static Candidate line(String line, LogIns usual) {
        String[] words = line.split("\\s+");
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("expected label=value after the host, got '" + words[i] + "'");
            }
            labels.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return new Candidate(Address.parse(words[0], usual), labels);
    }

    private static Candidate one(@org.jspecify.annotations.Nullable Object item, LogIns usual) {
        if (item instanceof String text) {
            return new Candidate(Address.parse(text.strip(), usual), Map.of());
        }
        if (!(item instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException(
                    "expected [user@]host[:port] or {host: ..., port: ..., user: ..., labels: {...}}, got '" + item
                            + "'");
        }
        for (Object key : map.keySet()) {
            String name = String.valueOf(key);
            if (!KEYS.contains(name)) {
                throw new IllegalArgumentException(
                        "expected keys of " + KEYS + ", got '" + name + "'" + Nearest.suggestion(name, KEYS));
            }
        }
        if (!map.containsKey("host")) {
            throw new IllegalArgumentException("expected a 'host', got none");
        }
        Map<String, String> labels = new LinkedHashMap<>();
        Object given = map.get("labels");
        if (given instanceof Map<?, ?> named) {
            named.forEach((name, value) -> labels.put(String.valueOf(name), String.valueOf(value)));
        } else if (given != null) {
            throw new IllegalArgumentException("labels: expected names with texts, got '" + given + "'");
        }
        Object port = map.get("port");
        String host = String.valueOf(map.get("host"));
        return new Candidate(
                new Address(
                        map.containsKey("user") ? String.valueOf(map.get("user")) : usual.user(host),
                        host,
                        port == null ? usual.port(host) : port(String.valueOf(port))),
                labels);
    }

    private static int port(String text) {
        if (!text.matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("expected a port from 1 to 65535, got '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static List<Candidate> distinct(List<Candidate> candidates, String where) {
        if (candidates.isEmpty()) {
            throw new IllegalArgumentException(where + ": expected at least one host, got none");
        }
        Set<String> names = new HashSet<>();
        for (Candidate candidate : candidates) {
            if (!names.add(candidate.name())) {
                throw new IllegalArgumentException(where + ": expected each host once, got " + candidate.name()
                        + " twice; several testers on one host are testers-per-node");
            }
        }
        return List.copyOf(candidates);
    }
}
