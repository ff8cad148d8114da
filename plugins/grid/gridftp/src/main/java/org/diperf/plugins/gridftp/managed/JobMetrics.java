package org.diperf.plugins.gridftp.managed;

import java.util.List;
import org.diperf.core.spi.Metric;

/** What is observed of managed transfers. */
public final class JobMetrics {

    static final Metric FILES = new Metric("job.files", "files", "files in the job that were transferred completely");
    static final Metric FIND =
            new Metric("job.find", "ms", "time to list the files and their sizes, and to create folders");
    static final Metric SESSIONS =
            new Metric("job.sessions", "sessions", "sessions transferring data in parallel, chosen automatically");
    static final Metric STREAMS = new Metric("job.streams", "streams", "streams per large file, chosen automatically");
    static final Metric AHEAD =
            new Metric("job.ahead", "files", "small files requested in advance per session, chosen automatically");
    static final Metric FAULTS =
            new Metric("job.faults", "faults", "transfers in the job that failed and were retried");
    static final Metric RESENT = new Metric(
            "job.resent",
            "bytes",
            "bytes transferred more than once: those after the last restart marker (111) before a fault, "
                    + "and all bytes of a file with a wrong checksum");
    static final Metric MOVED = new Metric(
            "job.moved",
            "bytes",
            "bytes transferred by the job so far, each second; for transfers between two servers, as reported by "
                    + "performance markers (112)");

    /** All of which the unit is declared. */
    public static final List<Metric> ALL = List.of(FILES, FIND, SESSIONS, STREAMS, AHEAD, FAULTS, RESENT, MOVED);

    private JobMetrics() {}
}
