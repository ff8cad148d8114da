package org.diperf.controller.experiment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.core.data.DataFile;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/** What the texts of one experiment file may name: columns of its data files, captured values, secrets. Confined to one thread. */
final class PlaceholderNames implements Names {

    private static final int MAX_SECRET_BYTES = 64 << 10;
    private static final Pattern SECRET = Pattern.compile("\\$\\{secret:([^}]*)}");
    /** Of a user, in a URL; begins at what few texts have, so that long ones take no longer than they are. */
    private static final Pattern PASSWORD = Pattern.compile("://[^\\s/?#:\"']*:([^\\s/?#\"']+)@");

    private static final Pattern SECRET_FILE = Pattern.compile("\\$\\$\\{|\\$\\{secret:file:([^}]*)}");

    private final Environment environment;
    private final Map<String, DataFile> files = new LinkedHashMap<>();
    private final Set<String> values = new LinkedHashSet<>();
    private final Map<String, String> secrets = new LinkedHashMap<>();

    private PlaceholderNames(Environment environment) {
        this.environment = environment;
    }

    /**
     * Looks what a file has names for; reads its data files through.
     *
     * @param source name of the file, next to which data files are
     */
    static PlaceholderNames of(Node.Mapping root, String source, Environment environment, Problems problems) {
        PlaceholderNames names = new PlaceholderNames(environment);
        if (Node.find(root, "data") instanceof Node.Mapping data) {
            data.entries().forEach((name, entry) -> {
                if (Node.find(entry, "file") instanceof Node.Scalar file) {
                    names.addFile(name, file, source, problems);
                }
            });
        }
        for (String key : List.of("client.before", "client.requests")) {
            if (Node.find(root, key) instanceof Node.Sequence requests) {
                for (Node request : requests.items()) {
                    if (Node.find(request, "capture") instanceof Node.Mapping capture) {
                        names.values.addAll(capture.entries().keySet());
                    }
                }
            }
        }
        JourneyKeys.eachValue(root, names.values::add);
        names.addPasswords(root);
        return names;
    }

    /** Passwords of URLs are not shown either; the file itself keeps them. */
    private void addPasswords(Node node) {
        if (node instanceof Node.Scalar scalar) {
            addPasswords(scalar.text());
        } else if (node instanceof Node.Sequence list) {
            list.items().forEach(this::addPasswords);
        } else if (node instanceof Node.Mapping mapping) {
            mapping.entries().values().forEach(this::addPasswords);
        }
    }

    private void addPasswords(String text) {
        Matcher matcher = PASSWORD.matcher(text);
        while (matcher.find()) {
            // As it is written, and as it is sent.
            Stream.of(matcher.group(1), Url.decoded(matcher.group(1)))
                    .distinct()
                    .forEach(password -> secrets.put("url:" + secrets.size(), password));
        }
    }

    private void addFile(String name, Node.Scalar file, String source, Problems problems) {
        try {
            DataFile opened = DataFile.open(ExperimentPaths.resolve(source, file.text()));
            files.put(name, opened);
            opened.columns().forEach(column -> values.add(name + "." + column));
        } catch (InvalidPathException | IOException e) {
            problems.add(file.position(), "data." + name + ".file", String.valueOf(e.getMessage()));
        }
    }

    /** Reads the secrets that a text names, but for those that cannot be read. */
    static Secrets secretsIn(String text, Environment environment) {
        PlaceholderNames names = new PlaceholderNames(environment);
        Matcher matcher = SECRET.matcher(text);
        while (matcher.find()) {
            try {
                names.secret(matcher.group(1));
            } catch (IllegalArgumentException gone) {
                // Its value is in no text of this process then.
            }
        }
        names.addPasswords(text);
        return names.secrets();
    }

    /** Makes the paths of secrets absolute, so that the resolved file finds them from its own folder. */
    static Node withSecretsFound(Node node, String source) {
        if (node instanceof Node.Scalar scalar) {
            return scalar.text().contains("${secret:file:")
                    ? new Node.Scalar(scalar.position(), scalar.kind(), absolute(scalar.text(), source))
                    : scalar;
        }
        if (node instanceof Node.Sequence list) {
            return new Node.Sequence(
                    list.position(),
                    list.items().stream()
                            .map(item -> withSecretsFound(item, source))
                            .toList());
        }
        Node.Mapping mapping = (Node.Mapping) node;
        Map<String, Node> entries = new LinkedHashMap<>();
        mapping.entries().forEach((key, value) -> entries.put(key, withSecretsFound(value, source)));
        return new Node.Mapping(mapping.position(), entries, mapping.keys());
    }

    private static String absolute(String text, String source) {
        Matcher matcher = SECRET_FILE.matcher(text);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            String path = matcher.group(1);
            String found = matcher.group();
            if (path != null && !path.startsWith("~/") && !path.isBlank()) {
                try {
                    found = "${secret:file:" + ExperimentPaths.resolve(source, path) + "}";
                } catch (InvalidPathException reportedWhereItIsRead) {
                    found = matcher.group();
                }
            }
            matcher.appendReplacement(result, Matcher.quoteReplacement(found));
        }
        return matcher.appendTail(result).toString();
    }

    /** Returns a data file; {@code null} where it cannot be read. */
    @Nullable
    DataFile file(String name) {
        return files.get(name);
    }

    /** Lists the columns as texts name them. */
    List<String> columns() {
        List<String> columns = new ArrayList<>();
        files.forEach((name, file) -> file.columns().forEach(column -> columns.add(name + "." + column)));
        return columns;
    }

    /** Returns the secrets that were asked for. */
    Secrets secrets() {
        return new Secrets(secrets);
    }

    @Override
    public Set<String> values() {
        return values;
    }

    @Override
    public String secret(String reference) {
        String known = secrets.get(reference);
        if (known == null) {
            known = read(reference);
            secrets.put(reference, known);
        }
        return known;
    }

    private String read(String reference) {
        String name = reference.substring(reference.indexOf(':') + 1);
        if (reference.startsWith("env:") && !name.isBlank()) {
            String value = environment.variables().apply(name);
            if (value == null) {
                throw new IllegalArgumentException("expected the secret in the environment variable '" + name
                        + "', got none with that name; set it");
            }
            return value;
        }
        if (reference.startsWith("file:") && !name.isBlank()) {
            String home = environment.variables().apply("HOME");
            String path = name.startsWith("~/") && home != null ? home + name.substring(1) : name;
            try {
                Path file = Path.of(path);
                if (!Files.isRegularFile(file) || Files.size(file) > MAX_SECRET_BYTES) {
                    throw new IllegalArgumentException("expected a secret in the file '" + path
                            + "', got no file of at most 64 KiB there; check the path");
                }
                return Files.readString(file, StandardCharsets.UTF_8).replaceFirst("\\R$", "");
            } catch (IOException | InvalidPathException e) {
                // The cause may hold a piece of what was read.
                throw new IllegalArgumentException(
                        "expected a secret in the file '" + path + "', got one that cannot be read as UTF-8");
            }
        }
        throw new IllegalArgumentException(
                "expected ${secret:env:NAME} or ${secret:file:PATH}, got '${secret:" + reference + "}'");
    }
}
