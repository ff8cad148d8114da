package org.diperf.controller.durability;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Who has the blocks of two testers, whose numbers begin at 1: the testers, the page cache, the disk. Says what would be lost
 * if the controller or its machine failed now. The model changes it by the steps of an order, and a trial by what the code
 * has done.
 */
public final class Keeping {

    /** How many testers there are. */
    public static final int TESTERS = 2;

    private static final int MADE = 0;
    private static final int FORGOTTEN = 2;
    private static final int CACHED = 4;
    private static final int DURABLE = 6;
    private static final int RELEASED = 8;
    private static final int CLOCK_CACHED = 10;
    private static final int CLOCK_DURABLE = 12;
    private static final int RECORD = 14;
    private static final int RECORD_DURABLE = 15;
    private static final int SAMPLES_NAMED = 16;
    private static final int CONTROL = 17;
    /** How many cells there are. */
    static final int CELLS = 18;

    private final byte[] cells;

    /** Makes that of a run that has not begun. */
    public Keeping() {
        this(new byte[CELLS]);
        cells[CONTROL] = 1;
    }

    /** @param cells its state, of which it uses the first {@link #CELLS} */
    Keeping(byte[] cells) {
        this.cells = cells;
    }

    /** Makes the state of a run that has not begun, with room for more after it. */
    static byte[] cells(int more) {
        byte[] cells = Arrays.copyOf(new byte[CELLS], CELLS + more);
        cells[CONTROL] = 1;
        return cells;
    }

    int made(int tester) {
        return cells[MADE + tester];
    }

    int cached(int tester) {
        return cells[CACHED + tester];
    }

    int durable(int tester) {
        return cells[DURABLE + tester];
    }

    boolean isReleased(int tester) {
        return cells[RELEASED + tester] != 0;
    }

    int record() {
        return cells[RECORD];
    }

    boolean hasControl() {
        return cells[CONTROL] != 0;
    }

    /** A tester has measured the blocks up to this one. */
    public void made(int tester, int block) {
        cells[MADE + tester] = (byte) block;
    }

    /** A tester was told that the blocks up to this one are safe, and lets go of them. */
    public void forgets(int tester, int block) {
        cells[FORGOTTEN + tester] = (byte) Math.max(cells[FORGOTTEN + tester], block);
    }

    /** A tester was told that the run is over, and lets go of everything. */
    public void released(int tester) {
        cells[RELEASED + tester] = 1;
    }

    /** The sample files have the blocks of a tester up to this one, as long as the machine lives. */
    public void cached(int tester, int block) {
        cells[CACHED + tester] = (byte) block;
    }

    /** The contents of the sample files are durable as far as this block of a tester. */
    public void durable(int tester, int block) {
        cells[DURABLE + tester] = (byte) block;
    }

    /** The names of the sample files are durable. */
    public void samplesNamed() {
        cells[SAMPLES_NAMED] = 1;
    }

    /** The clock's file has a row of a tester. */
    public void clockCached(int tester) {
        cells[CLOCK_CACHED + tester] = 1;
    }

    /** All rows of the clock's file are durable. */
    public void clockDurable() {
        cells[CLOCK_DURABLE] = cells[CLOCK_CACHED];
        cells[CLOCK_DURABLE + 1] = cells[CLOCK_CACHED + 1];
    }

    /** The run's record is in its place. */
    public void recorded(boolean isLast) {
        cells[RECORD] = (byte) (isLast ? 2 : 1);
    }

    /** The run's record and its name are durable. */
    public void recordDurable() {
        cells[RECORD_DURABLE] = cells[RECORD];
    }

    /** What is needed to resume the run is gone. */
    public void controlDeleted() {
        cells[CONTROL] = 0;
    }

    /** Says what would be lost if the controller or its machine failed now, or is; {@code null}: nothing. */
    public @Nullable String loss() {
        for (int tester = 0; tester < TESTERS; tester++) {
            String name = "tester " + (tester + 1);
            int gone = isReleased(tester) ? made(tester) : cells[FORGOTTEN + tester];
            if (gone > cached(tester)) {
                return "nobody has block " + (cached(tester) + 1) + " of " + name;
            }
            if (gone > 0 && (gone > durable(tester) || cells[SAMPLES_NAMED] == 0)) {
                return "a power cut loses a block that " + name + " has forgotten";
            }
            if (gone > 0 && cells[CLOCK_DURABLE + tester] == 0) {
                return "a power cut loses the clock of " + name;
            }
            if (gone > 0 && cells[RECORD_DURABLE] == 0) {
                return "a power cut loses the record of the run";
            }
            if (isReleased(tester) && cells[RECORD_DURABLE] < 2) {
                return "a power cut loses how " + name + " ended";
            }
            if (!hasControl() && made(tester) > cached(tester)) {
                return "the run is over without block " + (cached(tester) + 1) + " of " + name;
            }
        }
        return hasControl() || record() == 2 ? null : "the run is over without its last record";
    }
}
