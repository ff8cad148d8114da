package org.diperf.plugins.emulated.annex;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.Annex.Amount;
import org.diperf.core.spi.Annex.Cell;
import org.diperf.core.spi.Annex.Column;
import org.diperf.core.spi.Annex.Fact;
import org.diperf.core.spi.Annex.Line;
import org.diperf.core.spi.Annex.Panel;
import org.diperf.core.spi.Annex.Remark;
import org.diperf.core.spi.Annex.Table;
import org.diperf.core.spi.Annex.What;
import org.diperf.plugins.emulated.annex.NetworkUsage.Carried;
import org.diperf.plugins.emulated.annex.NetworkUsage.Link;
import org.diperf.plugins.emulated.annex.NetworkUsage.Times;
import org.diperf.plugins.emulated.annex.NetworkUsage.Way;
import org.diperf.plugins.emulated.routing.Rerouting;
import org.jspecify.annotations.Nullable;

/** Says of a network what is shown with the results of a run. Confined to one thread. */
public final class NetworkAnnex {

    private static final double MILLI = 1e6;
    private static final double MEGA = 1e6;
    private static final long BEFORE_NANOS = 10_000_000_000L;
    private static final int MAX_REROUTINGS = 100;
    private static final int MAX_LINKS = Annex.MAX_ROWS / 2;
    private static final String LINKS = "links";
    private static final String REROUTINGS = "reroutings";
    private static final String USE_MEAN = "use.mean";
    private static final String USE_MAX = "use.max";
    private static final String SENT_MEAN = "sent.mean";

    private static final List<Column> LINK = List.of(
            new Column("link", "link", ""),
            new Column("from", "from", ""),
            new Column("to", "to", ""),
            new Column("direction", "direction", ""),
            new Column("count", "links", "links"),
            new Column("rate", "rate", "bit/s"),
            new Column("latency", "latency", "ms"),
            new Column(USE_MEAN, "use", "percent"),
            new Column(USE_MAX, "at most", "percent"),
            new Column(SENT_MEAN, "sent", "bit/s"),
            new Column("sent.max", "at most", "bit/s"),
            new Column("packets", "packets", "packets"),
            new Column("bytes", "data", "bytes"),
            new Column("lost", "lost", "packets"),
            new Column("overflowed", "no room", "packets"),
            new Column("longestQueue", "longest queue", "packets"));

    private static final List<Column> REROUTING = List.of(
            new Column("cause", "change", ""),
            new Column("broke", "routes broke", ""),
            new Column("at", "at", "ms"),
            new Column("outage", "no answer", "ms"),
            new Column("outageBefore", "before", "ms"),
            new Column("restored", "routes restored", "ms"),
            new Column("settled", "last change", "ms"));

    private NetworkAnnex() {}

    /** @param isTimeVirtual whether time went on only while all programs waited */
    public static Annex of(NetworkUsage network, boolean isTimeVirtual) {
        List<Rerouting> reroutings = network.reroutings()
                .subList(0, Math.min(MAX_REROUTINGS, network.reroutings().size()));
        List<Remark> remarks = new ArrayList<>(NetworkFindings.of(network));
        if (isTimeVirtual) {
            remarks.add(new Remark(
                    false,
                    "time was virtual: it advanced only while all programs were waiting, so computation took no "
                            + "time; response times include only waiting time"));
        }
        List<Table> tables = new ArrayList<>(List.of(links(network)));
        if (!reroutings.isEmpty()) {
            tables.add(new Table(
                    REROUTINGS,
                    "Effects of each link change, until the next one: the longest time that a tester went without "
                            + "an answer, and what the routers did; times are measured from the change",
                    REROUTING,
                    rows(reroutings)));
        }
        return new Annex(
                LinkMetrics.MONITOR,
                "The emulated network",
                facts(network.carried(), reroutings),
                numbers(network),
                tables,
                chart(NetworkDrawing.parts(network)),
                NetworkDrawing.of(network),
                remarks,
                new Annex.Delay("emulated network", LinkMetrics.LATE, LinkMetrics.LATEST, network.shortestWayNanos()));
    }

    /** Returns the row of the table of links that has a direction, from 1. */
    static int row(int link, boolean isBack) {
        return 2 * link + (isBack ? 2 : 1);
    }

    private static String cell(String table, int row, String column) {
        return table + "." + row + "." + column;
    }

    static String useMax(int row) {
        return cell(LINKS, row, USE_MAX);
    }

    /** Names mean and largest use of a direction: of its rate, or without one as a rate. */
    static String use(Way way, int row) {
        return way.bitsPerSecond() == 0
                ? "${" + cell(LINKS, row, SENT_MEAN) + "}"
                : "${" + cell(LINKS, row, USE_MEAN) + "} / ${" + useMax(row) + "}";
    }

    private static List<Fact> facts(@Nullable Carried carried, List<Rerouting> reroutings) {
        List<Fact> facts = new ArrayList<>();
        if (carried != null) {
            String times = "late by ${lateness.p50} (p50), ${lateness.p99} (p99), ${lateness.max} (max)";
            facts.add(new Fact("engine", carried.engine()));
            facts.add(new Fact(
                    "network",
                    carried.probes() == null
                            ? "packets " + times
                                    + "; response times can be too long by that much for each packet that a call waits for, but never "
                                    + "too short"
                            : "${probes} probes " + times + ", sent by " + carried.engine()
                                    + " over a link in addition to the declared ones; individual packets were not measured, and "
                                    + "ranges do not include this error"));
        }
        for (int i = 0; i < reroutings.size(); i++) {
            facts.add(new Fact("routing", text(reroutings.get(i), REROUTINGS + "." + (i + 1) + ".", i == 0)));
        }
        return facts;
    }

    private static String text(Rerouting rerouting, String row, boolean isFirst) {
        String ways = !rerouting.broke()
                ? "the routes stayed intact"
                : rerouting.restoredNanos() == null
                        ? "the routes were not restored"
                        : "routes restored after ${" + row + "restored}";
        return rerouting.cause() + " at ${" + row + "at}: clients went without an answer for at most "
                + "${" + row + "outage}"
                + (isFirst ? " (before ${" + row + "outageBefore})" : "") + "; " + ways
                + (rerouting.settledNanos() == null ? "" : ", last route changed after ${" + row + "settled}");
    }

    private static List<Amount> numbers(NetworkUsage network) {
        List<Amount> numbers = new ArrayList<>();
        if (network.shortestRoundTripNanos() > 0) {
            numbers.add(new Amount("shortestRoundTrip", "ms", millis(network.shortestRoundTripNanos())));
        }
        Carried carried = network.carried();
        if (carried != null) {
            numbers.add(new Amount("packets", "packets", Cell.of(carried.packets())));
            numbers.addAll(times("lateness", carried.lateness()));
            numbers.add(new Amount("probes", "packets", count(carried.probes())));
            if (carried.turns() != null) {
                numbers.addAll(times("turns", carried.turns()));
            }
            numbers.add(new Amount("droppedBefore", "packets", count(carried.droppedBefore())));
            numbers.add(new Amount("refused", "packets", Cell.of(carried.refused())));
            numbers.add(new Amount("strays", "packets", Cell.of(carried.strays())));
        }
        return numbers;
    }

    private static List<Amount> times(String name, Times times) {
        return List.of(
                new Amount(name + ".p50", "ms", millis(times.p50Nanos())),
                new Amount(name + ".p99", "ms", millis(times.p99Nanos())),
                new Amount(name + ".max", "ms", millis(times.maxNanos())));
    }

    private static Cell millis(long nanos) {
        return Cell.of(nanos / MILLI);
    }

    private static Cell count(@Nullable Long count) {
        return count == null ? Cell.NONE : Cell.of((double) count);
    }

    private static Table links(NetworkUsage network) {
        List<List<Cell>> rows = new ArrayList<>();
        for (Link link :
                network.links().subList(0, Math.min(MAX_LINKS, network.links().size()))) {
            rows.add(row(link, link.from(), link.to(), "there", link.there()));
            rows.add(row(link, link.to(), link.from(), "back", link.back()));
        }
        return new Table(
                LINKS,
                "Links of the network, each direction separately. Use, sent and longest queue cover the measured "
                        + "part; packets and data cover the whole run. The drawing shows the average use / the "
                        + "highest use in a second",
                LINK,
                rows);
    }

    private static List<Cell> row(Link link, String from, String to, String direction, Way way) {
        boolean isLimited = way.bitsPerSecond() > 0;
        List<String> use = metrics(way, LinkMetrics.USE);
        List<String> rate = metrics(way, LinkMetrics.RATE);
        return List.of(
                Cell.of(link.name()),
                Cell.of(from),
                Cell.of(to),
                Cell.of(direction),
                Cell.of(link.count()),
                isLimited ? Cell.of(way.bitsPerSecond()) : Cell.NONE,
                millis(way.latencyNanos()),
                isLimited ? Cell.of(What.MEAN, use) : Cell.NONE,
                isLimited ? Cell.of(What.MAX, use) : Cell.NONE,
                Cell.of(What.SUM, rate),
                Cell.of(What.MAX, rate),
                Cell.of(way.packets()),
                Cell.of(way.bytes()),
                Cell.of(way.lost()),
                Cell.of(way.overflowed()),
                Cell.of(What.MAX, metrics(way, LinkMetrics.LONGEST_QUEUE)));
    }

    private static List<String> metrics(Way way, String what) {
        return way.parts().stream().map(part -> LinkMetrics.of(part, what)).toList();
    }

    private static List<List<Cell>> rows(List<Rerouting> reroutings) {
        List<List<Cell>> rows = new ArrayList<>();
        for (int i = 0; i < reroutings.size(); i++) {
            Rerouting each = reroutings.get(i);
            long at = each.atNanos();
            long next = i + 1 < reroutings.size() ? reroutings.get(i + 1).atNanos() : Long.MAX_VALUE;
            rows.add(List.of(
                    Cell.of(each.cause()),
                    Cell.of(each.broke() ? "yes" : "no"),
                    since(at, 0),
                    Cell.of(What.OUTAGE, at, next),
                    i == 0 ? Cell.of(What.PAUSE, Math.max(0, at - BEFORE_NANOS), at) : Cell.NONE,
                    since(each.restoredNanos(), at),
                    since(each.settledNanos(), at)));
        }
        return rows;
    }

    private static Cell since(@Nullable Long nanos, long since) {
        return nanos == null ? Cell.NONE : Cell.of(Math.round((nanos - since) / 1e3) / 1e3);
    }

    private static Annex.Chart chart(List<String> parts) {
        return new Annex.Chart(
                "Network link utilisation",
                "Traffic on the most used links of the emulated network, each direction separately; at the "
                        + "bottom, if there were any, packets dropped because a queue was full. A fully used link "
                        + "limits the "
                        + "calls, and its queue adds to their response times.",
                Stream.of(
                                panel("link utilisation (%)", 1, parts, LinkMetrics.USE),
                                panel("sent (Mbit/s)", MEGA, parts, LinkMetrics.RATE),
                                panel("longest queue (packets)", 1, parts, LinkMetrics.LONGEST_QUEUE),
                                panel("dropped (1/s)", 1, parts, LinkMetrics.OVERFLOWED))
                        .toList());
    }

    private static Panel panel(String label, double divisor, List<String> parts, String what) {
        return new Panel(
                label,
                divisor,
                parts.stream()
                        .limit(Annex.MAX_LINES)
                        .map(part -> new Line(part, LinkMetrics.of(part, what), List.of()))
                        .toList());
    }
}
