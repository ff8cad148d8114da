package org.diperf.controller.progress;

/** Is told how a run goes. Called on the run's own thread, a few times a second at most. */
@FunctionalInterface
public interface Progress {

    /** Shows nothing. */
    Progress NONE = line -> {};

    /** Says what is being done before and after the load: one short line. */
    default void phase(String text) {}

    /** Says how the load goes. */
    default void live(LiveStatus status) {}

    /** Says something that the user should see whatever else is shown, such as a lost tester. */
    void log(String line);

    /** Says what the user must do at once, so that nothing is lost. */
    default void urge(String line) {
        log(line);
    }
}
