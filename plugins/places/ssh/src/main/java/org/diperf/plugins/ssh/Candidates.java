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
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;

/** Reads the candidates from {@code testbed.candidates} or from a list of hosts. */
final class Candidates {

    private static final long MAX_BYTES = 16 << 20;

    private Candidates() {}

    static final Parameter KEY = Parameter.optional(
                    "candidates",
                    Type.MAPPINGS,
                    "machines that can be used, each as [user@]host[:port] or as a mapping with labels; or the "
                            + "name of a file as for 'hosts'")
            .of(
                    Parameter.required("host", Type.STRING, "host name or address, or the full [user@]host[:port]"),
                    Parameter.optional("port", Type.INTEGER, "port of its SSH server")
                            .within(1, 65_535),
                    Parameter.optional("user", Type.STRING, "user name on the machine"),
                    Parameter.optional("labels", Type.TEXT_MAP, "labels of your choice, for require and groups"))
            .shortFor("host")
            .orText()
            .suchAs("[alice@10.0.0.5:22, { host: 10.0.0.6, labels: { site: lan } }]");

    /**
     * Reads what stands in the experiment file.
     *
     * @param with parameters of a testbed that has {@link #KEY}
     * @param usual where a candidate names no user or port
     * @throws IllegalArgumentException with what was expected and what it got
     * @throws IOException when the file cannot be read
     */
    static List<Candidate> read(Parameters with, LoginSettings usual) throws IOException {
        if (with.isText(KEY.name())) {
            return file(Paths.expand(with.string(KEY.name())), usual);
        }
        List<Candidate> candidates = new ArrayList<>();
        for (Parameters each : with.mappings(KEY.name())) {
            Map<String, String> labels = new LinkedHashMap<>();
            each.textMap("labels").forEach((name, text) -> labels.put(name, text.fixed()));
            candidates.add(new Candidate(address(each, usual), labels));
        }
        return distinct(candidates, "testbed.candidates");
    }

    private static Address address(Parameters candidate, LoginSettings usual) {
        String host = candidate.string("host");
        if (!candidate.has("user") && !candidate.has("port")) {
            return Address.parse(host.strip(), usual);
        }
        return new Address(
                candidate.has("user") ? candidate.string("user") : usual.user(host),
                host,
                candidate.has("port") ? candidate.value("port", Long.class).intValue() : usual.port(host));
    }

    /**
     * Reads a file with {@code [user@]host[:port] label=value...} a line; {@code #} begins a comment.
     *
     * @throws IllegalArgumentException with file, line and what was wanted
     */
    static List<Candidate> file(Path file, LoginSettings usual) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("expected a file with one host per line, got no file " + file.toAbsolutePath()
                    + "; paths are relative to the working directory");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("expected a file of at most " + (MAX_BYTES >> 20) + " MiB with one host per line, "
                    + "got " + Files.size(file) + " bytes in " + file);
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

    private static Candidate line(String line, LoginSettings usual) {
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

    private static List<Candidate> distinct(List<Candidate> candidates, String where) {
        if (candidates.isEmpty()) {
            throw new IllegalArgumentException(where + ": expected at least one host, got none");
        }
        Set<String> names = new HashSet<>();
        for (Candidate candidate : candidates) {
            if (!names.add(candidate.name())) {
                throw new IllegalArgumentException(where + ": expected each host once, got " + candidate.name()
                        + " twice; for several testers on one host, use testers-per-node");
            }
        }
        return List.copyOf(candidates);
    }
}
