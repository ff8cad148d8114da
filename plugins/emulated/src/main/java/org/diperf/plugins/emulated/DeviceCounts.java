package org.diperf.plugins.emulated;

import java.io.IOException;
import java.util.List;

/**
 * What a device has done, as {@code /proc/PID/net/dev} says.
 *
 * @param bytes that it has sent
 * @param packets that it has sent
 * @param dropped packets that it should have sent and has dropped
 */
record DeviceCounts(long bytes, long packets, long dropped) {

    /** Of the numbers behind a device's name: eight of what it received, then bytes, packets, errors and drops of what it sent. */
    private static final int SENT_BYTES = 8;

    private static final int SENT_PACKETS = 9;
    private static final int SENT_DROPPED = 11;

    /** Lists the devices but for {@code lo}. */
    static List<String> names(List<String> lines) {
        return lines.stream()
                .filter(line -> line.contains(":"))
                .map(line -> line.substring(0, line.indexOf(':')).strip())
                .filter(name -> !name.equals("lo"))
                .toList();
    }

    /**
     * Returns what a device has done.
     *
     * @throws IOException if it is not there
     */
    static DeviceCounts of(List<String> lines, String device) throws IOException {
        for (String line : lines) {
            String[] nameAndNumbers = line.strip().split(":\\s*", 2);
            if (nameAndNumbers.length == 2 && nameAndNumbers[0].equals(device)) {
                String[] numbers = nameAndNumbers[1].split("\\s+");
                return new DeviceCounts(
                        Long.parseLong(numbers[SENT_BYTES]),
                        Long.parseLong(numbers[SENT_PACKETS]),
                        Long.parseLong(numbers[SENT_DROPPED]));
            }
        }
        throw new IOException("There is no device " + device);
    }
}
