package org.diperf.controller.experiment;

import java.util.List;

/** An experiment file that cannot be used. The message has one line a problem, each with its place in the file. */
public final class ExperimentException extends Exception {

    private final List<String> problems;

    /**
     * @param problems one line each, at least one
     */
    public ExperimentException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** Makes one with a single problem. */
    static ExperimentException of(String problem) {
        return new ExperimentException(List.of(problem));
    }

    /** Lists the problems, in the order of the file. */
    public List<String> problems() {
        return problems;
    }
}
