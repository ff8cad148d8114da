package org.diperf.core.spi;

import java.util.List;
import java.util.Map;

/**
 * Adds a command to the program. Its ID is the command's name, which none of the program's own has; its {@link #parameters} are options of the same names after two
 * hyphens, but for those that are {@link #arguments}. A parameter's {@linkplain Parameter#in unit} stands for its value in the
 * help, one that is true or false needs none, and a list is given with commas or by the option again.
 */
public interface CommandPlugin extends Plugin {

    /** Exit code: done. */
    int DONE = 0;

    /** Exit code: the command line cannot be used. */
    int USAGE = 2;

    /** Exit code: what was asked for could not be carried out. */
    int NOT_CARRIED_OUT = 3;

    /** Names the parameters that are given by their position, in its order; the last may be a list. */
    default List<String> arguments() {
        return List.of();
    }

    /** Returns one letter for an option that has a short name too, by the parameter's name; by default none has. */
    default Map<String, String> letters() {
        return Map.of();
    }

    /**
     * Names the command of the program of which this is a part: its parameters are then options and arguments of that command,
     * which is carried out by this plugin where one of the options is given.
     *
     * @return by default empty: it is a command of its own
     */
    default String partOf() {
        return "";
    }

    /** Describes in a few sentences what the command does, for its help; by default the {@link #summary}. */
    default String help() {
        return summary();
    }

    /** Lists command lines as a user may write them, after the program's name; at least one. */
    List<String> examples();

    /** Says what its exit codes mean, such as {@code 0 done; 2 bad usage}; one line of at most 87 characters. */
    default String exitCodes() {
        return "0 done; 2 bad usage; 3 the command failed.";
    }

    /**
     * Carries out the command, on the program's main thread.
     *
     * @return the exit code, such as {@link #DONE}
     * @throws IllegalArgumentException if the user wrote what cannot be used, with what was expected, got and to do: {@link #USAGE};
     *     of {@link Parameters.Unusable} the option is named in front
     * @throws java.io.IOException if it cannot be carried out, with the reason: {@link #NOT_CARRIED_OUT}
     * @throws Exception for a bug
     */
    int run(CommandContext context) throws Exception;
}
