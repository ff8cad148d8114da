package org.diperf.plugins.emulated.routing;

import org.jspecify.annotations.Nullable;

/**
 * How routers found other ways after a change of links, until the next one. Times are after the start of the load, ns.
 *
 * @param cause the change, for people
 * @param atNanos when it was made
 * @param broke whether testers and service could not reach one another by the ways that the routers knew
 * @param restoredNanos when they last became able to again; {@code null}: they have not, or always were
 * @param settledNanos when a router last changed a way to a host; {@code null}: none did
 */
public record Rerouting(
        String cause,
        long atNanos,
        boolean broke,
        @Nullable Long restoredNanos,
        @Nullable Long settledNanos) {}
