package org.diperf.controller.cli;

/** Reads the versions from the jar that is running. */
final class Version {

    private Version() {}

    /** Gives DiPerF's version; {@code dev} when it does not run from its jar. */
    static String diperf() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }

    /** Gives the versions of DiPerF and of Java, a line each. */
    static String[] lines() {
        return new String[] {
            "DiPerF " + diperf(),
            "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")"
        };
    }
}
