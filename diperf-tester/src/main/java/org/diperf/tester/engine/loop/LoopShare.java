package org.diperf.tester.engine.loop;

/**
 * The part of a tester's clients that is a loop's: place j of the tester is on loop j mod loops.
 *
 * @param index of the loop among the tester's, from 0
 * @param loops how many the tester has
 */
public record LoopShare(int index, int loops) {

    /** Counts those of the tester's first places that are this loop's. */
    public int ownPlaces(int places) {
        return places / loops + (index < places % loops ? 1 : 0);
    }

    /** Returns the place among the tester's clients that is at this one among the loop's. */
    public int place(int own) {
        return own * loops + index;
    }
}
