package org.diperf.plugins.imports;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Numbers names in the order in which they were met. Confined to one thread. */
final class NameIndex {

    private final String what;
    private final int most;
    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    /** @param most how many names there may be, so that a column of the wrong kind does not fill the memory */
    NameIndex(String what, int most) {
        this.what = what;
        this.most = most;
    }

    int of(String name) throws IOException {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        if (numbers.size() == most) {
            throw new IOException("expected at most " + most + " different " + what + ", got more, such as "
                    + Excerpt.field(name) + "; choose a different column for them with --columns");
        }
        numbers.put(name, numbers.size());
        return numbers.size() - 1;
    }

    List<String> names() {
        return List.copyOf(numbers.keySet());
    }
}
