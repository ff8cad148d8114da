package org.diperf.controller.run;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.experiment.ControllerSettings;

/** Whether this process may open what a run needs. */
final class DescriptorLimit {

    /** Files, pipes of processes and sockets besides those of testers. */
    private static final long OTHERS = 100;

    private DescriptorLimit() {}

    /**
     * Looks before anything is started.
     *
     * @throws RunFailedException when there would be too few for the testers
     */
    static void check(int testers, ControllerSettings choice) throws RunFailedException {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && choice.relays().isEmpty()
                && !choice.datagrams()) {
            check(testers, system.getMaxFileDescriptorCount());
        }
    }

    static void check(int testers, long limit) throws RunFailedException {
        if (limit > 0 && testers + OTHERS > limit) {
            throw new RunFailedException(
                    "Expected enough file descriptors to connect " + testers + " testers, got a limit"
                            + " of " + limit + " for this process: raise it with ulimit -n " + (testers + OTHERS)
                            + ", connect testers through controller.relays, or use testbed.transport: udp");
        }
    }
}
