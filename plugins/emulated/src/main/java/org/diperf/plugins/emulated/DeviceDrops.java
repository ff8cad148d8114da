package org.diperf.plugins.emulated;

import java.io.IOException;
import java.util.List;

/** Reads {@code /proc/PID/net/dev}. Stateless. */
final class DeviceDrops {

    /** Of the numbers behind a device's name: eight of what it received, then bytes, packets, errors and drops of what it sent. */
    private static final int SENT_DROPPED = 11;

    private DeviceDrops() {}

    /** Lists the devices but for {@code lo}. */
    static List<String> names(List<String> lines) {
        return lines.stream()
                .filter(line -> line.contains(":"))
                .map(line -> line.substring(0, line.indexOf(':')).strip())
                .filter(name -> !name.equals("lo"))
                .toList();
    }

    /**
     * Returns how many packets a device should have sent and has dropped.
     *
     * @throws IOException if it is not there
     */
    static long of(List<String> lines, String device) throws IOException {
        for (String line : lines) {
            String[] nameAndNumbers = line.strip().split(":\\s*", 2);
            if (nameAndNumbers.length == 2 && nameAndNumbers[0].equals(device)) {
                return Long.parseLong(nameAndNumbers[1].split("\\s+")[SENT_DROPPED]);
            }
        }
        throw new IOException("There is no device " + device);
    }
}
