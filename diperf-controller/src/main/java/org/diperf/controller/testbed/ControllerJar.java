package org.diperf.controller.testbed;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/** The jar that the controller runs from. */
public final class ControllerJar {

    private ControllerJar() {}

    /** Returns the jar; empty where classes come from folders, as in an IDE. */
    public static Optional<Path> find() {
        CodeSource source = ControllerJar.class.getProtectionDomain().getCodeSource();
        try {
            Path place = source == null ? null : Path.of(source.getLocation().toURI());
            return place == null || !Files.isRegularFile(place) ? Optional.empty() : Optional.of(place);
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
