package org.diperf.controller.run;

/**
 * What this machine may be used for while a run waits: from the first tester that has joined until the start of the load is set. Called on
 * the run's thread.
 */
public interface SpareTime {

    /** Nothing is to be done in it. */
    SpareTime NONE = new SpareTime() {
        @Override
        public void begins() {}

        @Override
        public void ends() {}
    };

    /** Nothing is measured from now on. Returns at once. */
    void begins();

    /** Something is to be measured: returns when nothing is done any more. */
    void ends() throws InterruptedException;
}
