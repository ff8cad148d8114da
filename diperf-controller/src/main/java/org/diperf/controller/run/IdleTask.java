package org.diperf.controller.run;

/**
 * What this machine may be used for while a run waits: from the first tester that has joined until the start of the load is set. Called on
 * the run's thread.
 */
public interface IdleTask {

    /** Nothing is to be done in it. */
    IdleTask NONE = new IdleTask() {
        @Override
        public void begins() {}

        @Override
        public void ends() {}

        @Override
        public void awaitRest() {}
    };

    /** Nothing is measured from now on. Returns at once. */
    void begins();

    /** Something is to be measured soon: what is under way is brought to its end. Returns at once. */
    void ends();

    /** Returns when nothing is done any more, after {@link #ends}. */
    void awaitRest() throws InterruptedException;
}
