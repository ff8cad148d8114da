package org.diperf.plugins.weather;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/**
 * Sensors that probe each other, one probe at a time.
 *
 * @param name by which it is registered
 * @param generation when it was started, in seconds since 1970 by the clock of who started it; a later one of the same name replaces it
 * @param members HOST:PORT of each sensor, in the order of the token; no two are the same
 * @param period between beginnings of rounds; in a round each member has the token once
 */
record Clique(String name, double generation, List<String> members, Duration period, NetProbe.Settings probes) {

    static final int MAX_MEMBERS = 64;
    static final Duration MIN_PERIOD = Duration.ofSeconds(1);
    static final Duration MAX_PERIOD = Duration.ofDays(1);
    static final String USUAL_PERIOD = "120";

    private static final int KIBI = 1 << 10;

    Clique {
        members = List.copyOf(members);
        if (name.isEmpty() || name.length() > 64 || name.chars().anyMatch(each -> each <= ' ')) {
            throw new IllegalArgumentException("expected a clique's name of 1 to 64 characters, got '" + name + "'");
        }
        if (members.size() < 2
                || members.size() > MAX_MEMBERS
                || new LinkedHashSet<>(members).size() < members.size()) {
            throw new IllegalArgumentException(
                    "expected 2 to " + MAX_MEMBERS + " different members, got " + String.join(",", members));
        }
        members.forEach(each -> address(each, Sensor.PORT));
        if (period.compareTo(MIN_PERIOD) < 0 || period.compareTo(MAX_PERIOD) > 0) {
            throw new IllegalArgumentException("expected a period from 1 s to 1 day, got " + period.toSeconds() + " s");
        }
    }

    /**
     * Reads HOST or HOST:PORT; an IPv6 address with a port stands in brackets.
     *
     * @throws IllegalArgumentException when it is neither
     */
    static InetSocketAddress address(String text, int usual) {
        int colon = text.lastIndexOf(':');
        boolean bare = colon < 0 || text.endsWith("]") || text.indexOf(':') != colon && !text.startsWith("[");
        String host = bare ? text : text.substring(0, colon);
        int port = usual;
        if (!bare) {
            String digits = text.substring(colon + 1);
            port = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : -1;
        }
        if (host.isEmpty()
                || host.length() > 255
                || port < 0
                || port > 65_535
                || host.chars().anyMatch(c -> c <= ' ')) {
            throw new IllegalArgumentException("expected HOST or HOST:PORT, got '" + text + "'");
        }
        return InetSocketAddress.createUnresolved(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
    }

    InetSocketAddress member(int index) {
        return address(members.get(index), Sensor.PORT);
    }

    /** Reads the clique of an activity, as NWS's {@code start_activity} sends its options: {@code member}, {@code period}, and KiB of probes. */
    static Clique started(String name, double generation, String options) {
        Attributes given = Attributes.read(options.strip());
        return new Clique(
                name,
                generation,
                List.of(given.get("member").split(",")),
                Duration.ofMillis(Math.round(1000 * number(given, "period", USUAL_PERIOD))),
                new NetProbe.Settings(
                        kibi(given, "size", "64"), kibi(given, "buffer", "32"), kibi(given, "message", "16")));
    }

    private static double number(Attributes given, String name, String usual) {
        String value = given.get(name).isEmpty() ? usual : given.get(name);
        double number;
        try {
            number = Double.parseDouble(value);
        } catch (NumberFormatException e) {
            number = Double.NaN;
        }
        if (!(number >= 0 && number <= 1e12)) {
            throw new IllegalArgumentException("expected a number for " + name + ", got '" + value + "'");
        }
        return number;
    }

    private static int kibi(Attributes given, String name, String usual) {
        return (int) Math.min(Integer.MAX_VALUE, Math.round(KIBI * number(given, name, usual)));
    }

    static double generation(Attributes text) {
        return number(text, "generation", "");
    }

    /** Returns its options as {@code start_activity} has them. */
    String options() {
        return Attributes.of(
                        "period",
                        plain(period.toMillis() / 1e3),
                        "member",
                        String.join(",", members),
                        "size",
                        plain(probes.size() / (double) KIBI),
                        "buffer",
                        plain(probes.buffer() / (double) KIBI),
                        "message",
                        plain(probes.message() / (double) KIBI))
                .text()
                .stripTrailing();
    }

    static String plain(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.format(Locale.ROOT, "%.3f", value);
    }

    /** Returns it as it is sent from sensor to sensor. */
    String text() {
        return "name:" + name + "\tgeneration:" + generation + "\t" + options();
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @throws IllegalArgumentException when it is none
     */
    static Clique read(Attributes text) {
        return started(text.name(), generation(text), text.text());
    }
}
