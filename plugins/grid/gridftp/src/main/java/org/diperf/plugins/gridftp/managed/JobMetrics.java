package org.diperf.plugins.gridftp.managed;

import java.util.List;
import org.diperf.core.spi.Metric;

/** What is observed of managed transfers. */
public final class JobMetrics {

    static final Metric FILES = new Metric("job.files", "files", "files of the job that arrived whole");
    static final Metric FIND =
            new Metric("job.find", "ms", "time to find the files and their sizes, and to make folders");
    static final Metric SESSIONS = new Metric("job.sessions", "sessions", "sessions that move data at once, as chosen");
    static final Metric STREAMS = new Metric("job.streams", "streams", "streams of each large file, as chosen");
    static final Metric AHEAD = new Metric("job.ahead", "files", "small files asked for ahead in a session, as chosen");
    static final Metric FAULTS =
            new Metric("job.faults", "faults", "transfers of the job that failed and were tried again");
    static final Metric RESENT = new Metric(
            "job.resent",
            "bytes",
            "bytes moved more than once: those after the last restart marker (111) before a fault, and all of a file with a"
                    + " wrong checksum");
    static final Metric MOVED = new Metric(
            "job.moved",
            "bytes",
            "bytes of the job so far, each second: of transfers between two servers what performance markers (112) tell");

    /** All of which the unit is declared. */
    public static final List<Metric> ALL = List.of(FILES, FIND, SESSIONS, STREAMS, AHEAD, FAULTS, RESENT, MOVED);

    private JobMetrics() {}
}
