package org.diperf.controller.durability;

import java.util.ArrayList;
import java.util.List;

/**
 * In which order a controller does what must not be done in another.
 *
 * @param start before the first call
 * @param commit for each batch of blocks
 * @param end when all testers have finished, or nothing more can be kept
 * @param resumedEnd the same in a run that was resumed
 */
record Order(List<Step> start, List<Step> commit, List<Step> end, List<Step> resumedEnd) {

    /** What a controller does at once: it is done or not when something fails. */
    enum Step {
        /** Forces the names of the sample files. */
        NAME_SAMPLES,
        /** Writes the record of a run that is under way, and gives it its name. */
        WRITE_RECORD,
        /** Forces the record and its name. */
        SYNC_RECORD,
        /** Lets the testers call. */
        START,
        /** Appends the blocks of a batch. */
        APPEND,
        /** Writes the rows of the clock's file that came with them. */
        WRITE_CLOCK,
        /** Forces the clock's file. */
        SYNC_CLOCK,
        /** Forces the contents of the sample files. */
        SYNC_SAMPLES,
        /** Tells the testers what is durable. */
        ACKNOWLEDGE,
        /** Leaves the run if writing has failed. */
        LOOK,
        /** Waits until all is durable; leaves the run if writing has failed. */
        AWAIT,
        /** Waits until all is durable or writing has failed. */
        AWAIT_OR_WARN,
        /** Writes the last record, and gives it its name; leaves the run if it cannot. */
        WRITE_LAST,
        /** Writes the last record; ends the run if it cannot. */
        WRITE_LAST_OR_END,
        /** Tells the testers to exit. */
        BYE,
        /** Deletes what is needed to resume the run. */
        DELETE_CONTROL
    }

    /** That of the code. */
    static final Order TODAY = new Order(
            List.of(Step.NAME_SAMPLES, Step.WRITE_RECORD, Step.SYNC_RECORD, Step.START),
            List.of(Step.WRITE_CLOCK, Step.SYNC_CLOCK, Step.APPEND, Step.SYNC_SAMPLES, Step.ACKNOWLEDGE),
            List.of(Step.AWAIT, Step.WRITE_LAST, Step.SYNC_RECORD, Step.BYE, Step.DELETE_CONTROL),
            List.of(Step.AWAIT, Step.WRITE_LAST, Step.SYNC_RECORD, Step.BYE, Step.DELETE_CONTROL));

    /** That of the code before it had one order: {@code df18e9c}. */
    static final Order BEFORE = new Order(
            List.of(Step.WRITE_RECORD, Step.START),
            List.of(Step.APPEND, Step.WRITE_CLOCK, Step.SYNC_SAMPLES, Step.ACKNOWLEDGE),
            List.of(Step.LOOK, Step.AWAIT_OR_WARN, Step.WRITE_LAST_OR_END, Step.BYE, Step.DELETE_CONTROL),
            List.of(Step.BYE, Step.AWAIT_OR_WARN, Step.WRITE_LAST, Step.DELETE_CONTROL));

    /** Lists the orders that lack one step of this one that forces something. */
    List<Order> eachWithoutASync() {
        List<Order> orders = new ArrayList<>();
        List<List<Step>> parts = List.of(start, commit, end, resumedEnd);
        for (int part = 0; part < parts.size(); part++) {
            for (int step = 0; step < parts.get(part).size(); step++) {
                Step left = parts.get(part).get(step);
                if (left.name().startsWith("SYNC") || left == Step.NAME_SAMPLES) {
                    List<List<Step>> changed = new ArrayList<>(parts);
                    List<Step> without = new ArrayList<>(parts.get(part));
                    without.remove(step);
                    changed.set(part, List.copyOf(without));
                    orders.add(new Order(changed.get(0), changed.get(1), changed.get(2), changed.get(3)));
                }
            }
        }
        return orders;
    }
}
