package org.diperf.controller.acceptance;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** When the kernel had the segments of HTTP requests and of their answers, by tcpdump. */
final class PacketStamps implements AutoCloseable {

    private static final int NANOSECONDS = 0xa1b23c4d;
    private static final int FILE_HEADER = 24;
    private static final int PACKET_HEADER = 16;
    private static final int ETHERNET = 14;
    private static final int SYN = 2;
    private static final String BEGIN = "GET /";

    private final Command tcpdump;
    private final Path file;
    private final int port;

    /**
     * A call as it was on the wire; ns since 1970.
     *
     * @param connectNanos how long its connection took to make, from the first segment to the answer to it; 0 where it was there
     * @param requestNanos when the last segment of the request was sent
     * @param firstNanos when the first segment of the answer came
     * @param lastNanos when the last one came
     */
    record Seen(long connectNanos, long requestNanos, long firstNanos, long lastNanos) {

        /** Returns what the service and the network took, ns. */
        long tookNanos() {
            return connectNanos + lastNanos - requestNanos;
        }
    }

    /** From the first segment that asks for a connection to the one that grants it. */
    private static final class Connect {
        final long askedNanos;
        long answeredNanos;

        Connect(long askedNanos) {
            this.askedNanos = askedNanos;
        }
    }

    private PacketStamps(Command tcpdump, Path file, int port) {
        this.tcpdump = tcpdump;
        this.file = file;
        this.port = port;
    }

    /** Returns whether this process may look at packets. */
    static boolean possible() {
        return Command.installed("tcpdump")
                && Command.installed("chrt")
                && System.getProperty("user.name").equals("root");
    }

    static PacketStamps start(Path folder, String device, int port) throws IOException, InterruptedException {
        Path file = folder.resolve("packets.pcap");
        // Before everything else that wants a processor: what is lost here is missing below.
        List<String> command = List.of(
                "chrt",
                "-f",
                "40",
                "tcpdump",
                "-i",
                device,
                "-Z",
                "root",
                "-B",
                "65536",
                "-s",
                "160",
                "--time-stamp-precision=nano",
                "-w",
                file.toString(),
                "tcp port " + port);
        Command tcpdump = Command.start(folder, command);
        tcpdump.awaitOutput(output -> output.contains("listening on"));
        return new PacketStamps(tcpdump, file, port);
    }

    /** Ends the look; returns the calls by the paths of their requests, without the first slash. */
    Map<String, Seen> stop() throws IOException, InterruptedException {
        // What is in the kernel's buffer is written first.
        TimeUnit.MILLISECONDS.sleep(1_100);
        // Not by the process, which would stop reading what tcpdump says at its end.
        tcpdump.process().toHandle().destroy();
        tcpdump.exitCode();
        if (!tcpdump.output().contains("\n0 packets dropped by kernel")) {
            throw new AssertionError("Expected every packet, got: " + tcpdump.output());
        }
        return read(ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN));
    }

    private Map<String, Seen> read(ByteBuffer packets) {
        if (packets.getInt(0) != NANOSECONDS) {
            throw new AssertionError("Expected stamps in nanoseconds, got " + Integer.toHexString(packets.getInt(0)));
        }
        Map<Integer, String> underWay = new HashMap<>();
        Map<Integer, Connect> connecting = new HashMap<>();
        Map<String, Seen> seen = new HashMap<>();
        int at = FILE_HEADER;
        while (at + PACKET_HEADER <= packets.limit()) {
            long nanos = packets.getInt(at) * 1_000_000_000L + packets.getInt(at + 4);
            int kept = packets.getInt(at + 8);
            take(
                    packets.slice(at + PACKET_HEADER, kept).order(ByteOrder.BIG_ENDIAN),
                    nanos,
                    underWay,
                    connecting,
                    seen);
            at += PACKET_HEADER + kept;
        }
        return seen;
    }

    private void take(
            ByteBuffer packet,
            long nanos,
            Map<Integer, String> underWay,
            Map<Integer, Connect> connecting,
            Map<String, Seen> seen) {
        int tcp = ETHERNET + (packet.get(ETHERNET) & 15) * 4;
        int data = tcp + (packet.get(tcp + 12) >> 4 & 15) * 4;
        int length = (packet.getShort(ETHERNET + 2) & 0xffff) - (data - ETHERNET);
        int from = packet.getShort(tcp) & 0xffff;
        int to = packet.getShort(tcp + 2) & 0xffff;
        if (length <= 0) {
            if ((packet.get(tcp + 13) & SYN) != 0) {
                // Asked again where nobody answered; granted again where too many wait to be accepted, which the client
                // has no need of.
                Connect one = connecting.computeIfAbsent(to == port ? from : to, unseen -> new Connect(nanos));
                one.answeredNanos = one.answeredNanos == 0 && from == port ? nanos : one.answeredNanos;
            }
            return;
        }
        if (to == port) {
            byte[] text = new byte[packet.limit() - data];
            packet.get(data, text);
            String request = new String(text, StandardCharsets.US_ASCII);
            if (request.startsWith(BEGIN)) {
                String name = request.substring(BEGIN.length(), request.indexOf(' ', BEGIN.length()));
                if (name.equals(underWay.put(from, name))) {
                    // The same segment again, because nobody acknowledged it: the request went out with the first.
                    return;
                }
            }
            Connect connected = connecting.remove(from);
            seen.merge(
                    underWay.get(from),
                    new Seen(connected == null ? 0 : connected.answeredNanos - connected.askedNanos, nanos, 0, 0),
                    (before, now) -> new Seen(before.connectNanos, nanos, 0, 0));
        } else if (from == port && underWay.containsKey(to)) {
            seen.computeIfPresent(
                    underWay.get(to),
                    (name, call) -> new Seen(
                            call.connectNanos,
                            call.requestNanos,
                            call.firstNanos == 0 ? nanos : call.firstNanos,
                            nanos));
        }
    }

    @Override
    public void close() {
        tcpdump.close();
    }
}
