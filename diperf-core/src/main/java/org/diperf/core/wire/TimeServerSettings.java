package org.diperf.core.wire;

import java.util.Arrays;

/**
 * Where a run's time server answers, which is on the host of the controller, and how often it is to be asked.
 *
 * @param port of UDP; 0: there is none, and clocks are compared by the stamps of frames alone
 * @param syncNanos from one burst of questions to the next; 0: as often as the clocks need it
 * @param key of the datagrams' tags: a secret of the run
 */
public record TimeServerSettings(int port, long syncNanos, byte[] key) {

    /** No time server. */
    public static final TimeServerSettings NONE = new TimeServerSettings(0, 0, new byte[0]);

    static final int MAX_KEY_BYTES = 64;

    public TimeServerSettings {
        key = key.clone();
        if (port < 0 || port > 65_535 || syncNanos < 0 || key.length > MAX_KEY_BYTES) {
            throw new IllegalArgumentException(
                    "Time service: expected a port from 0 to 65535, sync >= 0 and a key of at"
                            + " most " + MAX_KEY_BYTES + " bytes, got port " + port + ", sync " + syncNanos + " ns and "
                            + key.length + " bytes");
        }
    }

    @Override
    public byte[] key() {
        return key.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TimeServerSettings service
                && service.port == port
                && service.syncNanos == syncNanos
                && Arrays.equals(service.key, key);
    }

    @Override
    public int hashCode() {
        return port;
    }

    /** Shows where, not the secret. */
    @Override
    public String toString() {
        return "TimeServerSettings[port=" + port + ", syncNanos=" + syncNanos + "]";
    }
}
