package org.diperf.controller.calibrate;

import java.util.List;

/** A client plugin has no stand-in for its service, with its parameters as they are by default. */
public final class NoStandInException extends Exception {

    private final List<String> able;

    NoStandInException(List<String> able) {
        super("no stand-in");
        this.able = List.copyOf(able);
    }

    /** Lists the client plugins that have one. */
    public List<String> able() {
        return able;
    }
}
