package org.diperf.plugins.http;

import java.util.List;
import org.diperf.core.spi.Parameters;
import org.jspecify.annotations.Nullable;

/**
 * How one of the experiment's requests is made and judged. Immutable, and shared by all clients.
 *
 * @param requests writes it
 * @param expected statuses that are success
 * @param keep whether the connection is kept for the next call
 * @param head whether the answer has no body
 */
record Exchange(Requests requests, Statuses expected, boolean keep, boolean head) {

    /**
     * @param with the request's parameters
     * @param targets of the experiment
     * @param file what {@code body-file} holds
     */
    static Exchange of(Parameters with, List<HttpTarget> targets, byte @Nullable [] file) {
        return new Exchange(
                new Requests(with, targets, file),
                new Statuses(with.texts("expect")),
                with.string("connection").equals("keep"),
                with.string("method").equals("HEAD"));
    }
}
