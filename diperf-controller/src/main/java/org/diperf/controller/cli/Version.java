package org.diperf.controller.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** Names the version of this program. */
final class Version implements IVersionProvider {

    /** Gives the version that the jar says, {@code dev} where there is no jar. */
    static String number() {
        @Nullable String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "diperf " + number(),
            "java " + System.getProperty("java.version") + " (" + System.getProperty("java.vm.name") + ", "
                    + System.getProperty("java.home") + ")"
        };
    }
}
