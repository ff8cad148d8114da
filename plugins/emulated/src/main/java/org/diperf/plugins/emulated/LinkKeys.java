package org.diperf.plugins.emulated;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;
import org.diperf.plugins.emulated.topology.BitRate;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * What the experiment file says of a link, with the changes so far.
 *
 * @param link what it says of the link itself
 * @param there what holds from the first end to the second, the latest last
 * @param back the same for the other way
 */
record LinkKeys(Parameters link, List<Parameters> there, List<Parameters> back) {

    private static final int MAX_PARALLEL = 64;
    private static final int MAX_SEED = 1_000_000_000;
    private static final int MAX_BURST = 1_000_000;
    private static final Duration MAX_LATENCY = Duration.ofMinutes(10);
    private static final Pattern PERCENT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*%");

    static final String BETWEEN = "between";
    static final String NAME = "name";
    static final String BACK = "back";
    private static final String RATE = "rate";
    private static final String LATENCY = "latency";
    private static final String JITTER = "jitter";
    private static final String QUEUE = "queue";
    private static final String LOSS = "loss";
    private static final String PARALLEL = "parallel";
    private static final String HASH_SEED = "hash-seed";
    private static final String BURST = "burst";
    private static final String ON = "on";

    /** What a link has in each direction. */
    static final List<Parameter> OF_WAY = List.of(
            Parameter.optional(RATE, Type.STRING, "rate such as 100Mbit/s; default: unlimited")
                    .parsedBy(BitRate::parse),
            Parameter.optional(LATENCY, Type.DURATION, "one-way delay of packets; default: none")
                    .parsedBy(LinkKeys::nanos),
            Parameter.optional(JITTER, Type.DURATION, "maximum variation of the latency; default: none")
                    .parsedBy(LinkKeys::nanos),
            Parameter.optional(
                            QUEUE,
                            Type.STRING,
                            "size of its queue in packets, or in bytes with a unit; " + "default: 1000")
                    .parsedBy(LinkKeys::queue),
            Parameter.optional(LOSS, Type.MAPPING, "packet loss; default: none")
                    .of(
                            Parameter.required(
                                            RATE,
                                            Type.STRING,
                                            "share of packets that are lost, such as rate: " + "0.5%")
                                    .parsedBy(LinkKeys::share),
                            Parameter.optional(BURST, Type.INTEGER, "packets lost in a row; default: 1")
                                    .within(1, MAX_BURST),
                            Parameter.optional(
                                            ON,
                                            Type.TEXTS,
                                            "numbers of the parallel links that lose packets; default: all")
                                    .parsedBy(text -> Keys.checked(
                                            text, text.matches("[0-9]{1,2}"), "the number of a parallel link", text)))
                    .shortFor(RATE)
                    .suchAs("0.5%"));

    static final Parameter[] ALL = with(
            OF_WAY,
            OF_WAY,
            Parameter.required(BETWEEN, Type.TEXTS, "its two ends, such as between: [client, server]")
                    .suchAs("[client, server]"),
            Parameter.optional(NAME, Type.STRING, "its name; default: its two ends joined by a hyphen")
                    .parsedBy(text -> Keys.checked(
                            text,
                            text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}"),
                            "a link name of letters, digits, dots, hyphens and underscores",
                            text)),
            Parameter.optional(PARALLEL, Type.INTEGER, "number of physical links in parallel; default: 1")
                    .within(1, MAX_PARALLEL),
            Parameter.optional(
                            "choose",
                            Type.STRING,
                            "how a packet is assigned to one of the parallel links; flow-hash: all packets of a "
                                    + "flow use the same link")
                    .oneOf("flow-hash"),
            Parameter.optional(
                            HASH_SEED,
                            Type.INTEGER,
                            "seed for assigning flows to parallel links; default: the experiment's seed")
                    .within(0, MAX_SEED));

    /**
     * Puts keys together with what holds in each direction.
     *
     * @param back what may differ on the way back
     */
    static Parameter[] with(List<Parameter> ofWay, List<Parameter> back, Parameter... own) {
        List<Parameter> all = new ArrayList<>(List.of(own));
        all.addAll(ofWay);
        all.add(Parameter.optional(BACK, Type.MAPPING, "settings that differ in the opposite direction")
                .of(back.toArray(Parameter[]::new))
                .suchAs("{ rate: 1Mbit/s }"));
        return all.toArray(Parameter[]::new);
    }

    LinkKeys {
        there = List.copyOf(there);
        back = List.copyOf(back);
    }

    static LinkKeys of(Parameters link) {
        return new LinkKeys(link, List.of(link), both(List.of(link), link)).checked();
    }

    /** Returns the same link after a change. */
    LinkKeys with(Parameters change) {
        List<Parameters> then = new ArrayList<>(there);
        then.add(change);
        List<Parameters> thenBack = new ArrayList<>(back);
        thenBack.add(change);
        return new LinkKeys(link, then, both(thenBack, change)).checked();
    }

    private static List<Parameters> both(List<Parameters> said, Parameters last) {
        List<Parameters> both = new ArrayList<>(said);
        if (last.has(BACK)) {
            both.add(last.mapping(BACK));
        }
        return both;
    }

    private LinkKeys checked() {
        members(false);
        members(true);
        return this;
    }

    @Nullable
    String name() {
        return link.has(NAME) ? link.value(NAME, String.class) : null;
    }

    /** Counts the physical links. */
    int parallel() {
        return link.has(PARALLEL) ? link.value(PARALLEL, Long.class).intValue() : 1;
    }

    /** Decides which flow uses which of them; empty: the experiment's seed does. */
    OptionalLong hashSeed() {
        return link.has(HASH_SEED) ? OptionalLong.of(link.value(HASH_SEED, Long.class)) : OptionalLong.empty();
    }

    /** Returns each of the physical links in a direction. */
    List<Direction> members(boolean isBack) {
        List<Parameters> said = isBack ? back : there;
        int rate = last(said, RATE);
        int latency = last(said, LATENCY);
        int jitter = last(said, JITTER);
        int queue = last(said, QUEUE);
        int loss = last(said, LOSS);
        long latencyNanos = latency < 0 ? 0 : said.get(latency).value(LATENCY, Long.class);
        long jitterNanos = jitter < 0 ? 0 : said.get(jitter).value(JITTER, Long.class);
        if (jitterNanos > latencyNanos) {
            boolean isChanged = latency > jitter;
            String key = isChanged ? LATENCY : JITTER;
            Parameters wrong = said.get(Math.max(latency, jitter));
            throw wrong.unusable(
                    key,
                    "expected " + (isChanged ? "at least the jitter" : "at most the latency") + " of the link, got "
                            + wrong.asWritten().get(key));
        }
        List<Direction> members = new ArrayList<>();
        for (int i = 0; i < parallel(); i++) {
            members.add(new Direction(
                    rate < 0 ? 0 : said.get(rate).value(RATE, Double.class),
                    latencyNanos,
                    jitterNanos,
                    queue < 0 ? Queue.DEFAULT : said.get(queue).value(QUEUE, Queue.class),
                    loss < 0 ? Loss.NONE : loss(said.get(loss).mapping(LOSS), i)));
        }
        return members;
    }

    /** Finds the latest that says something of a key; below 0: none does. */
    private static int last(List<Parameters> said, String key) {
        int last = said.size() - 1;
        while (last >= 0 && !said.get(last).has(key)) {
            last--;
        }
        return last;
    }

    private Loss loss(Parameters loss, int member) {
        Set<Integer> on = new TreeSet<>();
        for (String number : loss.values(ON, String.class)) {
            if (Integer.parseInt(number) >= parallel()) {
                throw loss.unusable(
                        ON + "." + on.size(),
                        "expected a parallel link from 0 to " + (parallel() - 1) + ", got '" + number + "'");
            }
            on.add(Integer.parseInt(number));
        }
        if (loss.has(ON) && on.isEmpty()) {
            throw loss.unusable(ON, "expected a list of parallel links such as [0], got an empty one");
        }
        int burst = loss.has(BURST) ? loss.value(BURST, Long.class).intValue() : 1;
        return on.isEmpty() || on.contains(member) ? new Loss(loss.value(RATE, Double.class), burst) : Loss.NONE;
    }

    private static long nanos(String text) {
        Duration duration = Quantity.duration(text);
        return Keys.checked(
                duration.toNanos(),
                duration.compareTo(MAX_LATENCY) <= 0,
                "at most " + Quantity.format(MAX_LATENCY),
                text);
    }

    private static Queue queue(String text) {
        boolean isBytes = !text.matches("[0-9]{1,18}");
        long room = isBytes ? Quantity.size(text) : Long.parseLong(text);
        Keys.checked(
                room,
                room >= (isBytes ? Topology.MTU : 1),
                "room for at least one packet" + (isBytes ? ", which is " + Topology.MTU + " bytes" : ""),
                text);
        return new Queue(room, isBytes);
    }

    private static double share(String text) {
        Matcher percent = PERCENT.matcher(text);
        double share = percent.matches()
                ? Double.parseDouble(percent.group(1)) / 100
                : text.matches("[0-9.]+(?:E-?[0-9]+)?") ? Double.parseDouble(text) : -1;
        return Keys.checked(share, share >= 0 && share < 1, "a share of packets below 1, such as 0.5% or 0.005", text);
    }
}
