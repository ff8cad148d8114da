package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.result.NetworkSummary;
import org.diperf.analyzer.result.NetworkSummary.LinkUse;
import org.diperf.analyzer.result.NetworkSummary.Part;
import org.diperf.analyzer.result.NetworkSummary.Rerouting;
import org.diperf.analyzer.result.NetworkSummary.Times;
import org.diperf.analyzer.result.NetworkSummary.WayUse;
import org.diperf.analyzer.result.Summary;
import org.jspecify.annotations.Nullable;

/** Says what the network that the testbed made has carried, and how well. */
public final class CarriedWords {

    /** Head of the table of links. */
    public static final List<String> HEAD = List.of(
            "link",
            "from",
            "to",
            "rate",
            "latency",
            "use (%)",
            "most (%)",
            "sent (bit/s)",
            "packets",
            "lost",
            "no room",
            "longest queue");

    private static final String[] UNITS = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s"};

    private CarriedWords() {}

    /** Says in a line how late packets were; {@code null}: the testbed made no network, or nothing is known of it. */
    public static @Nullable String line(Summary summary) {
        NetworkSummary network = summary.network();
        Times late = network == null ? null : network.lateness();
        Long packets = network == null ? null : network.packets();
        if (network == null || late == null || packets == null) {
            return null;
        }
        String times = Numbers.time(late.p50()) + " (p50), " + Numbers.time(late.p99()) + " (p99), "
                + Numbers.time(late.max()) + " (at most)";
        Long probes = network.probes();
        return probes == null
                ? "packets late by " + times + "; response times can be too long by that for each packet that a call"
                        + " waits for, never too short"
                : Numbers.count(probes) + " probes late by " + times + ", sent by " + Words.clean(engine(network))
                        + " over a link next to the declared ones; nothing is known of each packet, and ranges"
                        + " do not contain it";
    }

    private static String engine(NetworkSummary network) {
        String engine = network.engine();
        return engine == null ? "its engine" : engine;
    }

    /** Says in a line for each change of links what clients and routers made of it. */
    public static List<String> reroutings(Summary summary) {
        NetworkSummary network = summary.network();
        return network == null
                ? List.of()
                : network.reroutings().stream().map(CarriedWords::words).toList();
    }

    private static String words(Rerouting rerouting) {
        Double outage = rerouting.outage();
        Double before = rerouting.outageBefore();
        Double restored = rerouting.restored();
        Double settled = rerouting.settled();
        String clients = outage == null
                ? "clients made no calls before"
                : "clients without an answer for " + Numbers.time(outage) + " at most"
                        + (before == null ? "" : " (before " + Numbers.time(before) + ")");
        String ways = !rerouting.broke()
                ? "the routes stayed intact"
                : restored == null ? "the routes were not restored" : "routes restored after " + Numbers.time(restored);
        return Words.clean(rerouting.cause()) + " at " + Numbers.time(rerouting.at()) + ": " + clients + "; " + ways
                + (settled == null ? "" : ", last route changed after " + Numbers.time(settled));
    }

    /** Returns two rows for each link, one for each direction. */
    public static List<List<String>> rows(NetworkSummary network) {
        List<List<String>> rows = new ArrayList<>();
        for (LinkUse link : network.links()) {
            String name = (link.count() == 1 ? "" : link.count() + " × ") + Words.clean(link.name());
            rows.add(row(name, link.from(), link.to(), link.there()));
            rows.add(row(name, link.to(), link.from(), link.back()));
        }
        return rows;
    }

    private static List<String> row(String name, String from, String to, WayUse way) {
        Part use = way.use();
        Part sent = way.sent();
        Long queue = way.longestQueue();
        return List.of(
                name,
                Words.clean(from),
                Words.clean(to),
                rate(way),
                Numbers.time(way.latency()),
                use == null ? Numbers.NONE : Numbers.plain(use.mean()),
                use == null ? Numbers.NONE : Numbers.plain(use.max()),
                sent == null ? Numbers.NONE : Numbers.count(Math.round(sent.mean())),
                Numbers.count(way.packets()),
                Numbers.count(way.lost()),
                Numbers.count(way.overflowed()),
                queue == null ? Numbers.NONE : Numbers.count(queue));
    }

    /** Writes the rate that is declared. */
    public static String rate(WayUse way) {
        Double rate = way.rate();
        return rate == null ? "any rate" : bits(rate);
    }

    /** Writes a rate, with its unit. */
    public static String bits(double perSecond) {
        int unit = 0;
        double value = perSecond;
        while (value >= 999.5 && unit < UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        String number = value == Math.rint(value) ? Numbers.count((long) value) : Numbers.brief(value);
        return number + " " + UNITS[unit];
    }

    /** Writes mean and most use of a direction: of its rate, or without one as a rate. */
    public static String use(WayUse way) {
        Part use = way.use();
        Part sent = way.sent();
        if (use != null) {
            return percent(use.mean()) + " / " + percent(use.max()) + " %";
        }
        return sent == null ? Numbers.NONE : bits(sent.mean());
    }

    private static String percent(double percent) {
        return percent > 0 && percent < 0.95 ? "< 1" : String.valueOf(Math.round(percent));
    }
}
