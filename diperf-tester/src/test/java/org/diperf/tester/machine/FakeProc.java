package org.diperf.tester.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A {@code /proc} of which a test says what it holds. */
public final class FakeProc {

    private final Path folder;

    public FakeProc(Path folder) {
        this.folder = folder;
    }

    private FakeProc write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return this;
    }

    /** Two processors; ticks since the host started. */
    public FakeProc stat(long user, long idle, long steal) throws IOException {
        return write(
                "stat",
                "cpu  " + user + " 0 0 " + idle + " 0 0 0 " + steal + " 7 0\ncpu0 1 2 3 4\ncpu1 1 2 3 4\nintr 5\n");
    }

    public FakeProc thread(int id, String name, long ranNanos, long waitedNanos) throws IOException {
        return write("self/task/" + id + "/comm", name + "\n")
                .write("self/task/" + id + "/schedstat", ranNanos + " " + waitedNanos + " 12\n");
    }

    public FakeProc descriptors(int open, String limit) throws IOException {
        for (int i = 0; i < open; i++) {
            write("self/fd/" + i, "");
        }
        return write(
                "self/limits",
                "Limit                     Soft Limit           Hard Limit           Units     \n"
                        + "Max open files            " + limit + "                 4096                 files     \n");
    }

    public FakeProc retransmits(long segments) throws IOException {
        return write(
                "net/snmp",
                "Ip: Forwarding DefaultTTL\nIp: 1 64\nTcp: RtoMin OutSegs RetransSegs InErrs\nTcp: 200 99 " + segments
                        + " 3\n");
    }
}
