package org.diperf.core.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes a first experiment of what a user has, such as a recording. Its ID is an option of {@code diperf init}; its
 * {@link #summary} is the option's help, and its {@link #parameters}, none of them required, are options that go with it. A starter
 * whose ID or parameter has the name of an {@linkplain #TAKEN option of that command} or of another starter's option is not used.
 */
public interface StarterPlugin extends Plugin {

    /** The options that {@code diperf init} has itself, without the hyphens. */
    Set<String> TAKEN = Set.of("for", "target", "force", "plugins", "stacktrace", "help");

    /** Says what the option's value is called in the help; by default {@code FILE}, which is completed as the name of one. */
    default String label() {
        return "FILE";
    }

    /** Names the client plugin whose experiments it makes. */
    String client();

    /** Returns whether {@code --target} may say where the service is; by default it may not, because what is given does. */
    default boolean takesTarget() {
        return false;
    }

    /** Returns a command line as a user may write it, after the program's name, with what it makes; at most 91 characters. */
    String example();

    /**
     * Makes an experiment.
     *
     * @param source the option's value
     * @throws IllegalArgumentException if it cannot be used, with what was expected, got and to do
     * @throws IOException if it cannot be read
     */
    Draft draft(String source, Given given) throws IOException;

    /** What else a user gives. */
    interface Given {

        /** Returns the values of the parameters, checked and with their defaults. */
        Parameters with();

        /** Returns the URL of the service; empty: none was given. */
        Optional<String> target();

        /**
         * Reads a mapping in YAML or JSON.
         *
         * @throws IllegalArgumentException if the file is none
         */
        Map<String, Object> read(Path file) throws IOException;
    }

    /**
     * A draft of an experiment.
     *
     * @param about what it is, such as {@code a journey of 3 requests}
     * @param comments lines to stand at the head of its file
     * @param tree its keys, with texts, numbers, booleans, lists and trees
     */
    record Draft(String about, List<String> comments, Map<String, Object> tree) {

        public Draft {
            comments = List.copyOf(comments);
            tree = Collections.unmodifiableMap(new LinkedHashMap<>(tree));
        }
    }
}
