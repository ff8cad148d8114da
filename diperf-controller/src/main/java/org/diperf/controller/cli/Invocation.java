package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Commands that the program prints so that somebody can copy them: called as it was called itself, and quoted for a shell. */
final class Invocation {

    /** What was typed, as the launchers pass it on. */
    private static final String CALLED = "diperf.called";

    private Invocation() {}

    /** Writes a command of this program with its arguments. */
    static String command(Object... words) {
        return program(System.getProperty(CALLED), System.getProperty("java.class.path", ""), java())
                + ' '
                + Stream.of(words).map(String::valueOf).map(Commands::quoted).collect(Collectors.joining(" "));
    }

    /**
     * Returns what calls the program.
     *
     * @param called what was typed; {@code null}: no launcher was used
     * @param classPath of this JVM: a jar alone as it stands behind {@code -jar}
     * @param java what started this JVM
     */
    static String program(@Nullable String called, String classPath, String java) {
        return called != null
                ? Commands.quoted(called)
                : classPath.matches("[^:]+\\.jar")
                        ? Commands.quoted(java) + " -jar " + Commands.quoted(classPath)
                        : "diperf";
    }

    private static String java() {
        try {
            return Files.readString(Path.of("/proc/self/cmdline")).split("\0", 2)[0];
        } catch (IOException e) {
            return "java";
        }
    }
}
