package org.diperf.plugins.emulated;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.Quantity;
import org.diperf.plugins.emulated.topology.BitRate;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * What the experiment file says of a link.
 *
 * @param name empty: it has none
 * @param between its two ends
 * @param parallel so many physical links
 * @param hashSeed decides which flow uses which of them; empty: the experiment's seed
 * @param there by name of the key, what holds from the first end to the second
 * @param back the same for the other way
 */
record LinkKeys(
        Optional<String> name,
        Tree between,
        int parallel,
        OptionalLong hashSeed,
        Map<String, Tree> there,
        Map<String, Tree> back) {

    /** What a link has in each direction. */
    static final List<String> OF_WAY = List.of("rate", "latency", "jitter", "queue", "loss");

    static final String BACK = "back";
    private static final List<String> ALL = List.of(
            "name", "between", "rate", "latency", "jitter", "queue", "loss", "parallel", "choose", "hash-seed", "back");
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";
    private static final Pattern PERCENT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*%");
    private static final int MAX_PARALLEL = 64;
    private static final int MAX_SEED = 1_000_000_000;
    private static final long MAX_LATENCY_NANOS = 600_000_000_000L;
    private static final int MAX_BURST = 1_000_000;

    static LinkKeys of(Tree link) {
        Map<String, Tree> keys = link.keys("a link such as {between: [client, server], latency: 10ms}", ALL);
        Tree between = keys.get("between");
        if (between == null) {
            throw link.problem("expected the ends of the link, such as between: [client, server], got none");
        }
        Tree nameKey = keys.get("name");
        String name = nameKey == null ? null : nameKey.text("the name of a link");
        if (name != null && !name.matches(NAME)) {
            throw requireNonNull(nameKey)
                    .unusable("the name of a link, of letters, digits, dots, hyphens and underscores");
        }
        Tree parallelKey = keys.get("parallel");
        int parallel = parallelKey == null
                ? 1
                : parallelKey.whole("a number of links from 1 to " + MAX_PARALLEL, 1, MAX_PARALLEL);
        Tree choose = keys.get("choose");
        if (choose != null && !choose.text("flow-hash").equals("flow-hash")) {
            throw choose.unusable("flow-hash, by which all packets of a flow use one of the parallel links");
        }
        Tree seedKey = keys.get("hash-seed");
        OptionalLong hashSeed = seedKey == null
                ? OptionalLong.empty()
                : OptionalLong.of(seedKey.whole("a seed from 0 to " + MAX_SEED, 0, MAX_SEED));
        Map<String, Tree> there = new LinkedHashMap<>(keys);
        there.keySet().retainAll(OF_WAY);
        Map<String, Tree> back = new LinkedHashMap<>(there);
        Tree backKey = keys.get(BACK);
        if (backKey != null) {
            back.putAll(backKey.keys("what differs on the way back, such as {rate: 1Mbit/s}", OF_WAY));
        }
        return new LinkKeys(Optional.ofNullable(name), between, parallel, hashSeed, there, back).checked();
    }

    /** Returns the same link with other values of some keys. */
    LinkKeys with(Map<String, Tree> newThere, Map<String, Tree> newBack) {
        Map<String, Tree> otherThere = new LinkedHashMap<>(there);
        otherThere.putAll(newThere);
        Map<String, Tree> otherBack = new LinkedHashMap<>(back);
        otherBack.putAll(newBack);
        return new LinkKeys(name, between, parallel, hashSeed, otherThere, otherBack).checked();
    }

    private LinkKeys checked() {
        members(false);
        members(true);
        return this;
    }

    /** Returns each of the physical links in a direction. */
    List<Direction> members(boolean isBack) {
        Map<String, Tree> keys = isBack ? back : there;
        Tree rate = keys.get("rate");
        double bitsPerSecond = rate == null ? 0 : rate.parsed("a rate such as 100Mbit/s", BitRate::parse);
        long latency = nanos(keys.get("latency"));
        Tree jitterKey = keys.get("jitter");
        long jitter = nanos(jitterKey);
        if (jitterKey != null && jitter > latency) {
            Tree latencyKey = keys.get("latency");
            if (latencyKey != null && latencyKey.isBelow(Keys.EVENTS) && !jitterKey.isBelow(Keys.EVENTS)) {
                throw latencyKey.unusable("at least the jitter of the link, " + jitterKey.value());
            }
            throw jitterKey.unusable("at most the latency of the link");
        }
        Queue queue = queue(keys.get("queue"));
        LossKeys loss = LossKeys.of(keys.get("loss"), parallel);
        List<Direction> members = new ArrayList<>();
        for (int i = 0; i < parallel; i++) {
            members.add(new Direction(bitsPerSecond, latency, jitter, queue, loss.of(i)));
        }
        return members;
    }

    private static long nanos(@Nullable Tree key) {
        if (key == null) {
            return 0;
        }
        long nanos = key.parsed("a duration such as 10ms", Quantity::duration).toNanos();
        if (nanos > MAX_LATENCY_NANOS) {
            throw key.unusable("at most " + Quantity.format(Duration.ofNanos(MAX_LATENCY_NANOS)));
        }
        return nanos;
    }

    private static Queue queue(@Nullable Tree key) {
        if (key == null) {
            return Queue.DEFAULT;
        }
        if (key.value() instanceof Long packets) {
            if (packets < 1) {
                throw key.unusable("room for one packet at least");
            }
            return new Queue(packets, false);
        }
        long bytes = key.parsed("packets such as 100, or a size such as 64KiB", Quantity::size);
        if (bytes < Topology.MTU) {
            throw key.unusable("room for one packet at least, which is " + Topology.MTU + " bytes");
        }
        return new Queue(bytes, true);
    }

    /**
     * What it says of losses.
     *
     * @param loss of the physical links that lose packets
     * @param on numbers of those; empty: all
     */
    private record LossKeys(Loss loss, Set<Integer> on) {

        private static final List<String> KEYS = List.of("rate", "burst", "on");

        static LossKeys of(@Nullable Tree key, int parallel) {
            if (key == null) {
                return new LossKeys(Loss.NONE, Set.of());
            }
            if (!key.isMapping()) {
                return new LossKeys(new Loss(share(key), 1), Set.of());
            }
            Map<String, Tree> keys = key.keys("losses such as 0.5% or {rate: 0.5%, burst: 5}", KEYS);
            Tree rate = keys.get("rate");
            if (rate == null) {
                throw key.problem("expected the share of packets that are lost, such as rate: 0.5%, got none");
            }
            Tree burst = keys.get("burst");
            int inRow = burst == null
                    ? 1
                    : burst.whole("packets that are lost in a row, from 1 to " + MAX_BURST, 1, MAX_BURST);
            Set<Integer> on = new TreeSet<>();
            Tree onKey = keys.get("on");
            if (onKey != null) {
                for (Tree number : onKey.items("a list of parallel links such as [0]")) {
                    on.add(number.whole("a parallel link from 0 to " + (parallel - 1), 0, parallel - 1));
                }
                if (on.isEmpty()) {
                    throw onKey.problem("expected a list of parallel links such as [0], got an empty one");
                }
            }
            return new LossKeys(new Loss(share(rate), inRow), on);
        }

        private static double share(Tree key) {
            Matcher percent = PERCENT.matcher(key.text("a share such as 0.5%"));
            double share = percent.matches()
                    ? Double.parseDouble(percent.group(1)) / 100
                    : key.value() instanceof Number number ? number.doubleValue() : -1;
            if (!(share >= 0 && share < 1)) {
                throw key.unusable("a share of the packets such as 0.5% or 0.005, below 1");
            }
            return share;
        }

        Loss of(int member) {
            return on.isEmpty() || on.contains(member) ? loss : Loss.NONE;
        }
    }
}
