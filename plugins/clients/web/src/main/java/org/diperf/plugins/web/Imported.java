package org.diperf.plugins.web;

import java.util.List;

/**
 * What was taken from a recording, a description or a command line.
 *
 * @param requests in the order in which they are to be made
 * @param leftOut requests of the source that are not among them
 * @param notes lines about what was not taken as it is
 */
record Imported(List<RecordedRequest> requests, List<LeftOut> leftOut, List<String> notes) {

    Imported {
        requests = List.copyOf(requests);
        leftOut = List.copyOf(leftOut);
        notes = List.copyOf(notes);
    }

    /** A request that was not taken. */
    record LeftOut(String what, String reason) {}
}
