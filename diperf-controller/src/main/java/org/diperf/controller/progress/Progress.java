package org.diperf.controller.progress;

/** Is told how a run goes. Called on the run's own thread, a few times a second at most. */
public interface Progress {

    /** Shows nothing. */
    Progress NONE = new Progress() {
        @Override
        public void phase(String text) {}

        @Override
        public void live(LiveStatus status) {}

        @Override
        public void log(String line) {}

        @Override
        public void urge(String line) {}
    };

    /** Says what is being done before and after the load: one short line. */
    void phase(String text);

    /** Says how the load goes. */
    void live(LiveStatus status);

    /** Says something that the user should see whatever else is shown, such as a lost tester. */
    void log(String line);

    /** Says what the user must do at once, so that nothing is lost. */
    default void urge(String line) {
        log(line);
    }
}
