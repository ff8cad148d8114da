package org.diperf.controller.page;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The runs of a folder, as a page shows them. All methods may be called from several threads at once. */
public interface RunCatalog {

    /**
     * A run, or a grid of runs as one. What is not known is {@code NaN}, or -1 for calls.
     *
     * @param folder its name within the folder of runs
     * @param name of the experiment
     * @param startedAt wall clock, ISO 8601 in UTC; {@code null}: nobody knows
     * @param runs of a grid; 0: it is one run
     * @param verdict in words
     * @param rate ok calls a second, of the measured part where there is one
     * @param failedShare of all calls
     * @param p50Ms of the same part as the rate
     * @param live address of the page that shows it while it is under way; {@code null}: there is none
     */
    record Entry(
            String folder,
            String name,
            @Nullable String startedAt,
            double seconds,
            long calls,
            int runs,
            String verdict,
            double rate,
            double failedShare,
            double p50Ms,
            double p99Ms,
            @Nullable String live) {}

    /**
     * One run's value of a number.
     *
     * @param low the least that it may be; the value itself where no range is known
     */
    record Point(String folder, String startedAt, double value, double low, double high) {}

    /**
     * A number over runs.
     *
     * @param unit in which the values are; empty: none
     * @param points oldest first
     */
    record Trend(String unit, List<Point> points) {}

    /** Lists all runs, newest first. */
    List<Entry> runs() throws IOException;

    /** Returns the folder that holds the runs. */
    Path folder();

    /** Lists numbers that can be asked for; others can too. */
    List<String> numbers();

    /**
     * Follows a number over the runs of one name.
     *
     * @throws IllegalArgumentException when there is no such number; the message says what there is
     */
    Trend trend(String name, String number) throws IOException;

    /**
     * Compares two runs, which may take long.
     *
     * @throws IllegalArgumentException when they cannot be compared; the message says why
     */
    void compare(String before, String after) throws IOException;

    /**
     * Returns the folder with {@code compare.html} of two runs that were compared as they are now; {@code null}: they were not, or
     * so long ago that it is no longer kept.
     */
    @Nullable
    Path compared(String before, String after) throws IOException;
}
