package org.diperf.tester.engine.call;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.data.DataFile;
import org.diperf.core.experiment.DataSettings;
import org.diperf.core.plan.RandomRow;

/** Gives out the rows of one data file in one tester. Thread-safe. */
final class DataRows {

    /** Stands for: none is left. */
    static final long NONE = -1;

    private final DataSettings choice;
    private final DataFile file;
    private final int place;
    private final long seed;
    private final int slice;
    private final int slices;
    private final AtomicLong given = new AtomicLong();
    private volatile boolean inPlaceOfAnother;

    private DataRows(DataSettings choice, DataFile file, int place, long seed, int slice, int slices) {
        this.choice = choice;
        this.file = file;
        this.place = place;
        this.seed = seed;
        this.slice = slice;
        this.slices = slices;
    }

    /**
     * Opens a file.
     *
     * @param place among the experiment's data files
     * @param slice of this tester, which has the rows whose numbers leave it when divided by {@code slices}
     */
    static DataRows open(DataSettings choice, int place, long seed, int slice, int slices) throws IOException {
        return new DataRows(choice, DataFile.open(Path.of(choice.file())), place, seed, slice, slices);
    }

    DataFile file() {
        return file;
    }

    /** Learns that a tester before this one had the slice: which rows it gave nobody knows, so none is given again. */
    void takeOver() {
        inPlaceOfAnother = true;
    }

    /**
     * Returns the number of a call's row; a new one each time where rows are given per call.
     *
     * @return {@link #NONE} where all have been given
     */
    long take(int client, long call) {
        long rows = file.rows();
        switch (choice.give()) {
            case RANDOM -> {
                return RandomRow.of(seed, place, client, call, rows);
            }
            case ONE_PER_CLIENT -> {
                return client < rows ? client : choice.repeats() ? client % rows : NONE;
            }
            default -> {
                long own = rows / slices + (slice < rows % slices ? 1 : 0);
                long next = given.getAndIncrement();
                if (!choice.repeats() && (next >= own || inPlaceOfAnother)) {
                    return NONE;
                }
                // With fewer rows than testers some have none of their own to repeat.
                return own == 0 ? slice % rows : next % own * slices + slice;
            }
        }
    }

    /** Says why no row is left. */
    String usedUp() {
        return switch (choice.give()) {
            case ONE_PER_CLIENT ->
                "data '" + choice.name() + "' has " + file.rows()
                        + " rows, one for each of the first clients; other clients have none";
            default ->
                inPlaceOfAnother
                        ? "data '" + choice.name() + "': the rows of a lost tester are not reused"
                        : "data '" + choice.name() + "' is used up: each of its " + file.rows() + " rows was used once";
        };
    }
}
