package org.diperf.core.run;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code grid.json}: the runs of a sweep, of variants or of trials. Written before the first run and after
 * each, so that a grid whose controller was killed can still be analysed and resumed.
 *
 * @param format {@link #FORMAT}
 * @param experiment name of the experiment
 * @param labels of the experiment
 * @param seed of the experiment: determines the order of the runs
 * @param diperfVersion that carried out the grid
 * @param startedAt wall clock before the first run, ISO 8601 in UTC; {@code null}: it never started
 * @param axes what is swept, in the order of the file
 * @param variants what each sets, by name: key path to value
 * @param trials of each point
 * @param order {@code shuffled}, {@code given}, or {@code as found} if existing runs were put side by side
 * @param excluded points that {@code except} leaves out
 * @param runs in the order in which they are carried out
 */
public record GridRecord(
        String format,
        String experiment,
        Map<String, String> labels,
        long seed,
        String diperfVersion,
        @Nullable String startedAt,
        List<AxisRecord> axes,
        Map<String, Map<String, Object>> variants,
        TrialsRecord trials,
        String order,
        int excluded,
        List<RunEntry> runs) {

    /** Name and version of this format. */
    public static final String FORMAT = "diperf-grid/1";

    /** File of this record in the folder of a grid. */
    public static final String FILE = "grid.json";

    /** The most that one has. */
    public static final int MAX_RUNS = 10_000;

    /** What {@link #order} is of runs that were put side by side afterwards. */
    public static final String AS_FOUND = "as found";

    /** Key of {@link RunEntry#set} that holds the name of the variant. */
    public static final String VARIANT = "variant";

    public GridRecord {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        axes = List.copyOf(axes);
        variants = Collections.unmodifiableMap(new LinkedHashMap<>(variants));
        runs = List.copyOf(runs);
    }

    /** Returns the same record with another entry in the place of the one of that number. */
    public GridRecord with(RunEntry entry) {
        List<RunEntry> changed = new ArrayList<>(runs);
        changed.replaceAll(run -> run.number() == entry.number() ? entry : run);
        return new GridRecord(
                format,
                experiment,
                labels,
                seed,
                diperfVersion,
                startedAt,
                axes,
                variants,
                trials,
                order,
                excluded,
                changed);
    }

    /**
     * One thing that is swept.
     *
     * @param path of the key in the experiment file
     * @param name the end of the path by which it can be told from the other axes
     * @param values as written: number, text, boolean, list or map
     */
    public record AxisRecord(String path, String name, List<Object> values) {
        public AxisRecord {
            values = List.copyOf(values);
        }
    }

    /**
     * How often each point is run.
     *
     * @param count from 1
     * @param order {@code interleaved}: all points, then all again; {@code grouped}: all trials of a point, then the next
     * @param pauseNanos between two runs
     */
    public record TrialsRecord(int count, String order, long pauseNanos) {}

    /** What became of a run. */
    public enum State {
        /** Not begun. */
        PLANNED,
        /** Begun, and nothing more is known. */
        UNDER_WAY,
        /** Carried out and analysed. */
        DONE,
        /** Could not be carried out, or was cut short by a failure. */
        FAILED,
        /** Cut short by the user. */
        INTERRUPTED
    }

    /**
     * One run.
     *
     * @param number in the order of the runs, from 1
     * @param dir below the folder of the grid; of runs put side by side afterwards their own folder
     * @param set key path of an axis, or {@link GridRecord#VARIANT}, to its value in this run
     * @param trial from 1
     * @param state what became of it
     * @param problem why it failed; {@code null}: it did not
     */
    public record RunEntry(
            int number,
            String dir,
            Map<String, Object> set,
            int trial,
            State state,
            @Nullable String problem) {

        public RunEntry {
            requireNonNull(dir, "dir");
            set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
        }

        /** Returns the same entry with what became of it. */
        public RunEntry with(State newState, @Nullable String newProblem) {
            return new RunEntry(number, dir, set, trial, newState, newProblem);
        }
    }
}
