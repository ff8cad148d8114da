package org.diperf.plugins.emulated.routing;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads lines of bird's log (version 2). Stateless. */
final class BirdLog {

    private static final Pattern LINE = Pattern.compile("([0-9]+)\\.([0-9]{6}) <([A-Z]+)> (.*)");
    private static final Pattern OSPF =
            Pattern.compile(RouterPlan.INSIDE + ": Neighbor [0-9.]+ on (\\S+) changed state from (\\S+) to (\\S+)");
    private static final Pattern BGP = Pattern.compile("(\\S+): BGP session (established|closed)");
    private static final Pattern TABLE =
            Pattern.compile(RouterPlan.TABLES + "\\.ipv4 < (?:added|replaced|removed) ([0-9.]+)/32 .*");
    private static final String FULL = "Full";

    private BirdLog() {}

    /** What a line says. */
    sealed interface Said {

        /** A neighbour, by its device or session, has been found or lost. */
        record Neighbour(String key, boolean isThere) implements Said {}

        /** The way to an address has changed. */
        record Route(String address) implements Said {}

        /** Something is wrong. */
        record Problem(String text) implements Said {}
    }

    /** A line with its time, since 1970. */
    record Entry(long wallNanos, Said said) {}

    /** Returns what a line says; empty: nothing of interest. */
    static Optional<Entry> parse(String line) {
        Matcher at = LINE.matcher(line);
        if (!at.matches()) {
            return Optional.empty();
        }
        long wallNanos = Long.parseLong(at.group(1)) * 1_000_000_000L + Long.parseLong(at.group(2)) * 1_000;
        return said(at.group(3), at.group(4)).map(said -> new Entry(wallNanos, said));
    }

    private static Optional<Said> said(String level, String text) {
        Matcher ospf = OSPF.matcher(text);
        if (ospf.matches()) {
            boolean was = ospf.group(2).equals(FULL);
            boolean is = ospf.group(3).equals(FULL);
            return was == is ? Optional.empty() : Optional.of(new Said.Neighbour(ospf.group(1), is));
        }
        Matcher bgp = BGP.matcher(text);
        if (bgp.matches()) {
            return Optional.of(new Said.Neighbour(bgp.group(1), bgp.group(2).equals("established")));
        }
        Matcher table = TABLE.matcher(text);
        if (table.matches()) {
            return Optional.of(new Said.Route(table.group(1)));
        }
        return level.equals("ERR") || level.equals("FATAL") || level.equals("BUG")
                ? Optional.of(new Said.Problem(text))
                : Optional.empty();
    }
}
