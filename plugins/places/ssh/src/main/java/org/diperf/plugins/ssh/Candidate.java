package org.diperf.plugins.ssh;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A machine that may be used.
 *
 * @param address where to log in
 * @param labels name to text, in the order of the file
 */
record Candidate(Address address, Map<String, String> labels) {

    Candidate {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** Returns the name that the testbed has for it. */
    String name() {
        return address.toString();
    }
}
