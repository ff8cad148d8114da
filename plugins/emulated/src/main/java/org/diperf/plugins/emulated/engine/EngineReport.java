package org.diperf.plugins.emulated.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What an engine had done at an instant, as the lines in which its process says so: one for each physical link and direction of
 * which something has changed since the report before, one for each slice of time in which packets were late, and then one for the engine, which completes the report. All numbers
 * count from the begin of the engine, but for {@link #QUEUED} and {@link #MAX_QUEUED}; times are those since the load began. Not thread-safe.
 */
public final class EngineReport {

    /** Numbers of a physical link in one direction. */
    public static final int OF_PIPE = 8;

    /** Packets that came. */
    public static final int PACKETS = 0;

    /** Bytes that were sent. */
    public static final int BYTES = 1;

    /** Time in which it sent, ns; 0 where its rate is not limited. */
    public static final int BUSY_NANOS = 2;

    /** Packets that were lost as declared. */
    public static final int LOST = 3;

    /** Packets that found no room in the queue. */
    public static final int OVERFLOWED = 4;

    /** Packets that came, or were on their way, while the link was cut or when it was. */
    public static final int CUT = 5;

    /** Packets in the queue at the instant. */
    public static final int QUEUED = 6;

    /** Most packets in the queue at a time since the report before. */
    public static final int MAX_QUEUED = 7;

    /** Numbers of the engine itself. */
    public static final int OF_ENGINE = 10;

    /** The instant, ns of this machine's monotonic clock. */
    public static final int AT_NANOS = 0;

    /** Packets that were given to hosts. */
    public static final int DELIVERED = 1;

    /** How late these were, ns: the median; the p99 and the largest follow it. */
    public static final int LATE_NANOS = 2;

    /** How long the engine took for a turn, ns: the median; the p99 and the largest follow it. */
    public static final int TURN_NANOS = 5;

    /** Packets for nobody. */
    public static final int STRAYS = 8;

    /** Packets that their host did not take, or for which there was no memory. */
    public static final int REFUSED = 9;

    private static final String PIPE = "pipe ";
    private static final String ENGINE = "engine ";

    final long[] engine = new long[OF_ENGINE];
    final long[] pipes;
    /** How late packets were, since the report before. */
    final List<LatenessWindow> late = new ArrayList<>();

    private final long[] told;

    /** @param pipes physical links, each direction of them by itself, in the order of the topology */
    public EngineReport(int pipes) {
        this.pipes = new long[OF_PIPE * pipes];
        this.told = new long[OF_PIPE * pipes];
    }

    /** Writes what has changed since the last time. */
    String lines() {
        StringBuilder lines = new StringBuilder();
        takeLate().forEach(slice -> lines.append(slice.line()).append('\n'));
        for (int at = 0; at < pipes.length; at += OF_PIPE) {
            if (!Arrays.equals(pipes, at, at + OF_PIPE, told, at, at + OF_PIPE)) {
                append(lines.append(PIPE).append(at / OF_PIPE), pipes, at, OF_PIPE)
                        .append('\n');
                System.arraycopy(pipes, at, told, at, OF_PIPE);
            }
        }
        return append(lines.append(ENGINE.strip()), engine, 0, OF_ENGINE)
                .append('\n')
                .toString();
    }

    private static StringBuilder append(StringBuilder to, long[] numbers, int from, int count) {
        for (int i = from; i < from + count; i++) {
            to.append(' ').append(numbers[i]);
        }
        return to;
    }

    /** Returns whether a line is one of a report. */
    public static boolean isLine(String line) {
        return line.startsWith(PIPE) || line.startsWith(ENGINE) || line.startsWith(LatenessWindow.WORD);
    }

    /**
     * Takes a line that is one of a report.
     *
     * @return whether the report is complete
     * @throws IllegalArgumentException if it is another one
     */
    public boolean read(String line) {
        if (line.startsWith(LatenessWindow.WORD)) {
            late.add(LatenessWindow.parse(line));
            return false;
        }
        boolean ofEngine = line.startsWith(ENGINE);
        long[] numbers = Arrays.stream(line.strip().split(" "))
                .skip(1)
                .mapToLong(Long::parseLong)
                .toArray();
        if (ofEngine && numbers.length == OF_ENGINE) {
            System.arraycopy(numbers, 0, engine, 0, OF_ENGINE);
        } else if (!ofEngine
                && numbers.length == 1 + OF_PIPE
                && numbers[0] >= 0
                && numbers[0] < pipes.length / OF_PIPE) {
            System.arraycopy(numbers, 1, pipes, (int) numbers[0] * OF_PIPE, OF_PIPE);
        } else {
            throw new IllegalArgumentException("Expected a report line, got '" + line + "'");
        }
        return ofEngine;
    }

    /** Returns how late packets were, and forgets it. */
    public List<LatenessWindow> takeLate() {
        List<LatenessWindow> taken = List.copyOf(late);
        late.clear();
        return taken;
    }

    /** Copies what is in another report of the same network, but for {@link #takeLate}. */
    public void set(EngineReport other) {
        System.arraycopy(other.engine, 0, engine, 0, engine.length);
        System.arraycopy(other.pipes, 0, pipes, 0, pipes.length);
    }

    /** Says a number of the engine, such as {@link #AT_NANOS}. */
    public void engine(int what, long number) {
        engine[what] = number;
    }

    /** Says a number of a physical link in one direction, such as {@link #BYTES}. */
    public void pipe(int pipe, int what, long number) {
        pipes[OF_PIPE * pipe + what] = number;
    }

    /** Says times of the engine, such as {@link #LATE_NANOS}. */
    public void times(int first, TimeHistogram times) {
        engine[first] = times.quantileNanos(0.5);
        engine[first + 1] = times.quantileNanos(0.99);
        engine[first + 2] = times.quantileNanos(1);
    }

    /** Returns a number of the engine, such as {@link #AT_NANOS}. */
    public long engine(int what) {
        return engine[what];
    }

    /** Returns a number of a physical link in one direction, such as {@link #BYTES}. */
    public long pipe(int pipe, int what) {
        return pipes[OF_PIPE * pipe + what];
    }

    /** Says for people what the engine has done and how well, and for each link that was used, what came to it. */
    public List<String> words(List<String> names) {
        return words(
                names,
                String.format(
                        Locale.ROOT,
                        "%d packets, late by %s; loop time %d us (p99); %d with no route, %d not accepted by their host",
                        engine(DELIVERED),
                        late(),
                        engine(TURN_NANOS + 1) / 1_000,
                        engine(STRAYS),
                        engine(REFUSED)));
    }

    /** Says the same where packets are carried by somebody who says nothing, and lateness is that of probes. */
    public List<String> words(List<String> names, long probes) {
        return words(
                names,
                String.format(
                        Locale.ROOT,
                        "%d packets; %d probes, late by %s; %d not accepted by the next device",
                        engine(DELIVERED),
                        probes,
                        late(),
                        engine(REFUSED)));
    }

    private String late() {
        return String.format(
                Locale.ROOT,
                "%d us (p50), %d us (p99), %d us (max)",
                engine(LATE_NANOS) / 1_000,
                engine(LATE_NANOS + 1) / 1_000,
                engine(LATE_NANOS + 2) / 1_000);
    }

    private List<String> words(List<String> names, String first) {
        List<String> lines = LongStream.range(0, names.size())
                .mapToInt(pipe -> (int) pipe)
                .filter(pipe -> pipe(pipe, PACKETS) > 0)
                .mapToObj(pipe -> String.format(
                        Locale.ROOT,
                        "link %s: %d packets, %d bytes sent, %d lost, %d dropped at a full queue, %d on a cut link",
                        names.get(pipe),
                        pipe(pipe, PACKETS),
                        pipe(pipe, BYTES),
                        pipe(pipe, LOST),
                        pipe(pipe, OVERFLOWED),
                        pipe(pipe, CUT)))
                .collect(Collectors.toList());
        lines.add(0, first);
        return lines;
    }
}
