package org.diperf.core.ports;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;

/**
 * Ports at which nothing listens, for servers that are told their port and for targets that must refuse.
 *
 * <p>A port that the system chose and that was closed again may be the next one it gives to a neighbour: tests of several
 * JVMs run side by side and open thousands of connections. These ports lie below those the system gives away (32768 on
 * Linux), and each JVM hands out its own, each once. Safe for any thread.
 */
public final class FreePorts {
    private static final int FIRST = 12_000;
    private static final int BLOCK = 200;
    private static final int BLOCKS = 100;

    /** Listens at the first port of the block as long as this JVM lives: whoever holds it owns the block. */
    private static ServerSocket guard = ownBlock();

    private static int last = guard.getLocalPort();

    private FreePorts() {}

    /** A port, free for TCP and UDP at every address of this machine, which no other caller gets. */
    public static int take() {
        return take(1);
    }

    /** The first of so many free ports in a row. */
    public static synchronized int take(int inARow) {
        int found = 0;
        while (found < inARow) {
            last++;
            if (last == guard.getLocalPort() + BLOCK) {
                guard = ownBlock();
                last = guard.getLocalPort() + 1;
                found = 0;
            }
            found = isFree(last) ? found + 1 : 0;
        }
        return last - inARow + 1;
    }

    private static ServerSocket ownBlock() {
        int start = (int) (ProcessHandle.current().pid() % BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            try {
                return new ServerSocket(FIRST + (start + i) % BLOCKS * BLOCK);
            } catch (IOException taken) {
                // By another JVM, or by this one's last block.
            }
        }
        throw new IllegalStateException("expected one of " + BLOCKS + " blocks of ports from " + FIRST
                + " on; other processes hold all of them");
    }

    private static boolean isFree(int port) {
        try (ServerSocket tcp = new ServerSocket(port);
                DatagramSocket udp = new DatagramSocket(port)) {
            return tcp.isBound() && udp.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
