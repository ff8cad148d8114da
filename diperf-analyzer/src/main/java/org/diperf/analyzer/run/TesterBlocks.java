package org.diperf.analyzer.run;

/** What a reader knows of a tester: its clock, and which of its blocks came. Confined to the thread that reads. */
public final class TesterBlocks {

    private final TesterClock clock;
    private final BlockNumbers numbers = new BlockNumbers();
    private long duplicates;

    TesterBlocks(TesterClock clock) {
        this.clock = clock;
    }

    /** Returns its clock. */
    public TesterClock clock() {
        return clock;
    }

    /** Counts the blocks that are missing, by their numbers. */
    public long missing() {
        return numbers.missing();
    }

    /** Counts the blocks that came again, and were left out. */
    public long duplicates() {
        return duplicates;
    }

    /** Returns whether a block did not come before; one that did is counted. */
    boolean isNew(long number) {
        if (numbers.contains(number)) {
            duplicates++;
            return false;
        }
        return true;
    }

    /** Notes that a block was taken. */
    void taken(long number) {
        numbers.add(number);
    }
}
