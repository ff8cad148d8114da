package org.diperf.core.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What a command is given, and what the program does for it. For the thread that runs the command. */
public interface CommandContext {

    /** Returns the values of its parameters, checked and with their defaults. */
    Parameters with();

    /** Prints a line of the result. */
    void print(String line);

    /**
     * Prints a result for scripts, as JSON.
     *
     * @param tree names with texts, numbers, booleans, lists and trees, in their order
     */
    void print(Map<String, ?> tree);

    /** Tells the user a line about what is done, or went wrong; it is no part of the result. */
    void tell(String line);

    /** Formats a number as reports do, with three or four significant digits. */
    String number(double value);

    /** Formats a time in ms as reports do, with the unit that suits it. */
    String time(double millis);

    /** Formats a size in bytes as reports do, in decimal units. */
    String size(double bytes);

    /**
     * Opens a client, lets it make one call and closes it; through the same engine as in a run.
     *
     * @param client ID of a client plugin
     * @param with its parameters, as in an experiment file
     * @param timeout upper bound for the call
     * @throws IllegalArgumentException if there is no such plugin
     * @throws IOException if the client could not be opened, or the call never ended; the reason
     */
    Called call(String client, Url target, Map<String, ?> with, Duration timeout)
            throws IOException, InterruptedException;

    /**
     * How a call ended.
     *
     * @param outcome {@code ok}, {@code timeout}, or the cause of the failure
     * @param service from its sending to its end
     * @param bytes that it moved
     * @param metrics that it reported, name to value in the metric's declared unit
     */
    record Called(String outcome, Duration service, long bytes, Map<String, Double> metrics) {

        public Called {
            metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        }

        /** Returns whether it succeeded. */
        public boolean ok() {
            return outcome.equals("ok");
        }
    }

    /**
     * Returns the folder of a run.
     *
     * @param named by the user; empty: the latest run, which the user is told
     * @throws IllegalArgumentException if there is none
     */
    Path run(String named) throws IOException;

    /**
     * Reads the calls of a run.
     *
     * @param run as {@link #run} returns it
     * @param to takes one call after another; the object is reused for the next one
     */
    void calls(Path run, Consumer<ExportedCall> to) throws IOException;

    /** Returns the path of a file or folder that the user named. */
    Path path(String named);

    /**
     * Makes a run of calls that another program measured, analyses it and shows its numbers, as after a run; says how far it is.
     *
     * @return the exit code
     * @throws Exception if the folder cannot be used or the calls cannot be read, for the caller to pass on: the user is told why
     */
    int importRun(Imported imported, ImportedCalls calls) throws Exception;

    /**
     * Carries out another command of the program, in this process. To interrupt the thread ends it: its load stops, and nothing
     * more is written.
     *
     * @param arguments the command's name and its arguments, as a user types them; paths are absolute
     * @return the exit code
     */
    int carryOut(List<String> arguments, Watcher watcher);

    /** Follows a command that is carried out. Called on any thread, one call at a time. */
    interface Watcher {

        /** Takes a line of standard output. */
        void out(String line);

        /** Takes a line of standard error: progress, warnings, what is wrong. */
        void err(String line);

        /**
         * Is shown each run that the command is about to make or look at, before it does anything for it. No journey in Java is
         * compiled or loaded for a command that is watched.
         *
         * @param keys every key of its experiment file with its value, defaults included: texts, numbers, booleans, lists, trees
         * @param longest time until no more calls begin; empty: nothing but the service bounds it
         * @throws IllegalArgumentException to refuse it, with what was expected, got and to do
         */
        void admit(Map<String, ?> keys, Optional<Duration> longest);
    }

    /**
     * What becomes a run.
     *
     * @param file that holds the calls
     * @param name of the experiment
     * @param out the folder of the run, new or empty; empty: one in {@code runs/}, of that name and the time
     * @param progress whether to say how far it is
     * @param json whether the result is one document, and all text is told
     */
    record Imported(Path file, String name, Optional<Path> out, boolean progress, boolean json) {}
}
