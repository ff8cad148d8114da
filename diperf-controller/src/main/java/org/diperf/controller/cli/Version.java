package org.diperf.controller.cli;

import picocli.CommandLine.IVersionProvider;

/** Reads the versions from the jar that is running. */
final class Version implements IVersionProvider {

    /** Gives DiPerF's version; {@code dev} when it does not run from its jar. */
    static String diperf() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "DiPerF " + diperf(),
            "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")"
        };
    }
}
