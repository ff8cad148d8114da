package org.diperf.controller.progress;

/** Looks at a run closely while it is under way, whenever it likes. Called on the run's own thread. */
public interface RunObserver {

    /** Nobody looks, and nothing is kept for it. */
    RunObserver NONE = new RunObserver() {
        @Override
        public boolean looks() {
            return false;
        }

        @Override
        public void begins(LiveSource run) {}

        @Override
        public void ends() {}
    };

    /** Returns whether it looks at all, so that the numbers of the whole run are to be kept. */
    default boolean looks() {
        return true;
    }

    /** A run begins, which can be looked at until {@link #ends}. */
    void begins(LiveSource run);

    /** The run is over: all that it measured is kept, and will be analysed next. Nothing more changes. */
    void ends();
}
