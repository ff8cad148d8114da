package org.diperf.controller.collect;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where and for whom to collect.
 *
 * @param at where to listen
 * @param files where to keep what comes
 * @param testers most that may join, at least 1
 * @param leaseNanos silence after which a tester is lost, and after which a tester stops its load
 * @param syncNanos from one comparison of a tester's clock to the next; 0: as often as it needs
 * @param memoryBytes of blocks that are held in memory and acknowledged when they come, until
 *     {@link Collector#awaitDurable} or {@link Collector#close} or their bound; 0: none are. A collector that resumes
 *     holds none: more than 0 says that the one before did, so that some may be missing
 * @param datagrams whether testers may enrol for sealed datagrams, and their tickets say so
 */
public record CollectorConfig(
        Listen at, Files files, int testers, long leaseNanos, long syncNanos, long memoryBytes, boolean datagrams) {

    /** Most testers that one run may have: those that are started first and as many that replace them. */
    public static final int MAX_TESTERS = 20_000;

    public CollectorConfig {
        if (testers < 1 || leaseNanos <= 0) {
            throw new IllegalArgumentException("Expected testers >= 1 and lease > 0 for a collector, got testers="
                    + testers + ", lease=" + leaseNanos + " ns");
        }
    }

    /**
     * Where to listen.
     *
     * @param host name or address to listen on
     * @param advertise names or addresses by which testers reach it, separated by commas; empty: the host
     * @param firstPort lowest port to try; 0: any free one
     * @param lastPort highest port to try
     */
    public record Listen(String host, String advertise, int firstPort, int lastPort) {

        public Listen {
            if (firstPort < 0 || lastPort > 65_535 || firstPort > 0 && lastPort < firstPort) {
                throw new IllegalArgumentException(
                        "Expected ports from 1 to 65535 in ascending order, or 0 for any; got " + firstPort + "-"
                                + lastPort);
            }
        }

        /** Returns any free port of a host. */
        public static Listen any(String host) {
            return new Listen(host, "", 0, 0);
        }

        /** Returns one port of a host. */
        public static Listen port(String host, int port) {
            return new Listen(host, "", port, port);
        }

        List<String> advertised() {
            List<String> hosts = Arrays.stream(advertise.split(","))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .toList();
            return hosts.isEmpty() ? List.of(host) : hosts;
        }
    }

    /**
     * Where to keep what comes.
     *
     * @param samples folder, made where needed; must hold no sample files unless the collector resumes
     * @param clockCsv file of the clock exchanges; overwritten unless the collector resumes
     * @param control folder where to leave what another collector needs to resume when this process is killed; {@code null}:
     *     nothing is left
     * @param resumes whether to resume from what a collector has left in {@code control}
     */
    public record Files(
            Path samples, Path clockCsv, @Nullable Path control, boolean resumes) {}

    /** Returns how many bytes of blocks it may hold in memory. */
    long heldBytes() {
        return files.resumes() ? 0 : memoryBytes;
    }
}
