package org.diperf.core.spi;

import static java.util.Objects.requireNonNull;

/**
 * Where a tester leaves samples that no controller took.
 *
 * @param tester its number
 * @param host the machine, as the testbed names it
 * @param path of the file there
 * @param copy the command by which a user copies the file to the current folder of the controller's machine
 */
public record SpoolPlace(int tester, String host, String path, String copy) {

    public SpoolPlace {
        requireNonNull(host, "host");
        requireNonNull(path, "path");
        requireNonNull(copy, "copy");
        if (tester < 1) {
            throw new IllegalArgumentException("Wanted the number of a tester, from 1; found " + tester);
        }
    }

    @Override
    public String toString() {
        return "tester-" + tester + " on " + host + " in " + path;
    }
}
