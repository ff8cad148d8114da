package org.diperf.controller.cli;

import org.diperf.controller.Diperf;

/** Reads the versions from the jar that is running. */
final class Version {

    private Version() {}

    /** Returns DiPerF's version. */
    static String diperf() {
        return Diperf.version();
    }

    /** Returns the versions of DiPerF and of Java, a line each. */
    static String[] lines() {
        return new String[] {
            "DiPerF " + diperf(),
            "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")"
        };
    }
}
