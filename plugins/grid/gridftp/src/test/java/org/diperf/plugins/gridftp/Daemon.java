package org.diperf.plugins.gridftp;

import java.io.IOException;

/** A thread of a server that a test has; what goes wrong in it is seen at the other end. */
final class Daemon {

    private Daemon() {}

    /** What is done in it, until that is over or a socket has gone. */
    interface Work {
        void run() throws IOException;
    }

    static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // The test is over, or the other side has gone.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
