package org.diperf.plugins.emulated;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What an emulated network needs of this machine and user. Stateless. */
final class Requirements {

    private static final Path TUN = Path.of("/dev/net/tun");
    private static final Path USERS = Path.of("/proc/self/status");

    private Requirements() {}

    /** Says what is missing here; empty: nothing. */
    static String here() {
        return of(TUN, USERS);
    }

    /** Says what its user may not do here; empty: nothing. */
    static String rights() {
        return rights(USERS);
    }

    /**
     * Says what is missing.
     *
     * @param status as of proc(5)
     */
    static String of(Path tun, Path status) {
        String rights = rights(status);
        if (!rights.isEmpty()) {
            return rights;
        }
        return Files.isReadable(tun) && Files.isWritable(tun)
                ? ""
                : "an emulated network needs " + tun
                        + ", got none with read and write access; load it with: modprobe tun (for a container, "
                        + "also pass the device in)";
    }

    private static String rights(Path status) {
        boolean isRoot;
        try {
            // Real, effective, saved, of the file system.
            isRoot = Files.readAllLines(status).stream().anyMatch(line -> line.matches("Uid:\\s+[0-9]+\\s+0\\s.*"));
        } catch (IOException e) {
            return "an emulated network needs Linux with /proc, got none";
        }
        return isRoot
                ? ""
                : "an emulated network needs root to create network namespaces, got user "
                        + System.getProperty("user.name") + ". Run it as root, or in a container or virtual machine"
                        + " where you are root";
    }
}
