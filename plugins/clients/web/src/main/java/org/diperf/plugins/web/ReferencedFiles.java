package org.diperf.plugins.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/** A description, and the files that it refers to: each is read once, when it is first needed. Confined to one thread. */
final class ReferencedFiles {

    private static final String REFERENCE = "$ref";
    /** A chain of references that is longer leads back to itself. */
    private static final int LONGEST_CHAIN = 20;

    /** Reads a mapping. */
    interface Reader {
        Map<String, Object> read(Path file) throws IOException;
    }

    private final Path file;
    private final Reader reader;
    /** Their references name file and place. */
    private final Map<Path, Map<String, Object>> read = new TreeMap<>();

    private final Set<String> missing = new LinkedHashSet<>();

    /**
     * Reads a description.
     *
     * @throws IllegalArgumentException if it is no mapping
     */
    ReferencedFiles(Path file, Reader reader) throws IOException {
        this.file = file.toAbsolutePath().normalize();
        this.reader = reader;
        read.put(this.file, complete(this.file, reader.read(file)));
    }

    Map<String, Object> root() {
        return map(read.get(file));
    }

    /** Returns references that lead nowhere, each with the reason. */
    Set<String> missing() {
        return missing;
    }

    /** Returns the reference that stands for a value; {@code null}: it stands for itself. */
    static @Nullable String reference(@Nullable Object value) {
        return value instanceof Map<?, ?> map && map.get(REFERENCE) instanceof String reference ? reference : null;
    }

    /** Returns a mapping with what it refers to, whose keys give way to its own; empty where it is none. */
    Map<String, Object> resolved(@Nullable Object value) {
        Map<String, Object> found = map(value);
        for (int i = 0; reference(found) != null; i++) {
            if (i == LONGEST_CHAIN) {
                return Map.of();
            }
            Map<String, Object> next = map(at(String.valueOf(found.remove(REFERENCE))));
            next.putAll(found);
            found = next;
        }
        return found;
    }

    private @Nullable Object at(String reference) {
        int mark = reference.lastIndexOf('#');
        Path of = Path.of(reference.substring(0, mark));
        Object at = read.get(of);
        try {
            if (at == null) {
                // Nothing else than a file ends for sure.
                if (!Files.isRegularFile(of)) {
                    throw new IOException("no such file");
                }
                at = complete(of, reader.read(of));
                read.put(of, map(at));
            }
        } catch (IOException | IllegalArgumentException e) {
            missing.add(shown(of) + " (" + e.getMessage() + ")");
            read.put(of, Map.of());
            return null;
        }
        for (String part : reference.substring(mark + 1).split("/")) {
            if (!part.isEmpty()) {
                String key = Url.decoded(part).replace("~1", "/").replace("~0", "~");
                at = at instanceof List<?> list
                        ? key.matches("[0-9]{1,6}") && Integer.parseInt(key) < list.size()
                                ? list.get(Integer.parseInt(key))
                                : null
                        : at instanceof Map<?, ?> map ? map.get(key) : null;
            }
        }
        if (at == null && !map(read.get(of)).isEmpty()) {
            missing.add(shown(of) + reference.substring(mark));
        }
        return at;
    }

    private String shown(Path of) {
        Path folder = file.getParent();
        return of.equals(file)
                ? ""
                : folder == null ? of.toString() : folder.relativize(of).toString();
    }

    /** Has each reference of a file begin with the file that it leads to. */
    private Map<String, Object> complete(Path of, Map<String, Object> content) {
        Map<String, Object> complete = new LinkedHashMap<>();
        content.forEach((key, value) -> complete.put(
                key, key.equals(REFERENCE) && value instanceof String text ? completed(of, text) : walked(of, value)));
        return complete;
    }

    private @Nullable Object walked(Path of, @Nullable Object value) {
        return value instanceof Map<?, ?> map
                ? complete(of, map(map))
                : value instanceof List<?> list
                        ? list.stream().map(each -> walked(of, each)).toList()
                        : value;
    }

    private static String completed(Path of, String reference) {
        int mark = reference.indexOf('#');
        String name = mark < 0 ? reference : reference.substring(0, mark);
        String place = mark < 0 ? "#" : reference.substring(mark);
        // An address of the web is no file that is here, and none is fetched.
        return (name.isEmpty() ? of : of.resolveSibling(Url.decoded(name)).normalize()) + place;
    }

    static Map<String, Object> map(@Nullable Object value) {
        Map<String, Object> copy = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, item) -> copy.put(String.valueOf(key), item));
        }
        return copy;
    }
}
