package org.diperf.controller.collect;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where and for whom to collect.
 *
 * @param listen address to listen on
 * @param advertise names or addresses by which testers reach it, separated by commas
 * @param firstPort lowest port to try; 0: any free one
 * @param lastPort highest port to try
 * @param testers most that may join, at least 1
 * @param leaseNanos silence after which a tester is lost, and after which a tester stops its load
 * @param syncNanos from one comparison of a tester's clock to the next; 0: as often as it needs
 * @param samplesFolder made where needed; must hold no sample files
 * @param clockCsv file of the clock exchanges; overwritten
 * @param control folder where to leave what another collector needs to resume when this process is killed; {@code null}:
 *     nothing is left
 * @param datagrams whether testers may enrol for sealed datagrams, and their tickets say so
 * @param resumes whether to resume from what a collector has left in {@code control}, at the port that it had
 * @param memoryBytes of blocks that are held in memory and acknowledged when they come, until
 *     {@link Collector#awaitDurable} or {@link Collector#close} or their bound; 0: none are. A collector that resumes
 *     holds none: more than 0 says that the one before did, so that some may be missing
 */
public record CollectorConfig(
        String listen,
        String advertise,
        int firstPort,
        int lastPort,
        int testers,
        long leaseNanos,
        long syncNanos,
        Path samplesFolder,
        Path clockCsv,
        long memoryBytes,
        @Nullable Path control,
        boolean resumes,
        boolean datagrams) {

    /** Most testers that one run may have: those that are started first and as many that replace them. */
    public static final int MAX_TESTERS = 20_000;

    public CollectorConfig {
        if (firstPort < 0 || lastPort > 65_535 || firstPort > 0 && lastPort < firstPort) {
            throw new IllegalArgumentException("A collector wants ports from 1 to 65535, the first not above the"
                    + " last, or 0 for any; got " + firstPort + "-" + lastPort);
        }
        if (testers < 1 || leaseNanos <= 0) {
            throw new IllegalArgumentException("A collector wants testers >= 1 and lease > 0; got testers=" + testers
                    + ", lease=" + leaseNanos + " ns");
        }
    }

    /** Returns how many bytes of blocks it may hold in memory. */
    long heldBytes() {
        return resumes ? 0 : memoryBytes;
    }

    List<String> hosts() {
        List<String> hosts = Arrays.stream(advertise.split(","))
                .map(String::strip)
                .filter(host -> !host.isEmpty())
                .toList();
        return hosts.isEmpty() ? List.of(listen) : hosts;
    }
}
