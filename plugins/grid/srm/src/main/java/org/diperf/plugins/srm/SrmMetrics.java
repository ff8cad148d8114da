package org.diperf.plugins.srm;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Metric;
import org.diperf.plugins.lib.gridftp.data.TransferMetrics;

/** What is observed of calls: the times of the steps, which add up to the call's, and what transfers observe. */
final class SrmMetrics {

    static final Metric CONNECT =
            new Metric("srm.connect", "ms", "time to connect to the manager and authenticate, if the call did so");
    static final Metric GATHER = new Metric(
            "srm.gather",
            "ms",
            "time until the request was sent, including waiting for a full batch or for the answer to an earlier "
                    + "message");
    static final Metric PREPARE =
            new Metric("srm.prepare", "ms", "time from the request to the manager's first answer");
    static final Metric READY = new Metric(
            "srm.ready", "ms", "time from the first answer until the file was pinned, or space for it was ready");
    static final Metric TRANSFER = new Metric("srm.transfer", "ms", "time of the GridFTP transfer, including log-in");
    static final Metric FINISH =
            new Metric("srm.finish", "ms", "time to release the file, to report it complete, or to abort");
    static final Metric POLLS = new Metric("srm.polls", "requests", "status requests while the file was not ready");
    static final Metric ENTRIES = new Metric("srm.entries", "entries", "files and folders in a listing");

    static List<Metric> all() {
        List<Metric> all = new ArrayList<>(List.of(CONNECT, GATHER, PREPARE, READY, TRANSFER, FINISH, POLLS, ENTRIES));
        all.addAll(TransferMetrics.ALL);
        return List.copyOf(all);
    }

    private SrmMetrics() {}
}
