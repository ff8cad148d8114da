package org.diperf.core.experiment;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A relay between testers and controller, as {@code HOST:PORT}, {@code HOST:PORT via HOST:PORT}, {@code HOST:PORT dialled} or {@code
 * HOST:PORT dialled at HOST:PORT}.
 *
 * @param host at which testers, or other relays, reach it
 * @param port it listens on
 * @param via the relay that it connects to, as {@code HOST:PORT}; {@code null}: the controller
 * @param dialled where the controller connects to it, as {@code HOST:PORT}; {@code null}: the relay connects
 */
public record RelaySettings(
        String host,
        int port,
        @Nullable String via,
        @Nullable String dialled) {

    private static final String PLACE = "(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5}";

    /** Form of the text. */
    public static final String PATTERN = PLACE + "( via " + PLACE + "| dialled( at " + PLACE + ")?)?";

    private static final Pattern PARTS = Pattern.compile("(?<place>(?<host>[^ ]+):(?<port>[0-9]+))"
            + "(?: via (?<via>[^ ]+)|(?<dialled> dialled)(?: at (?<at>[^ ]+))?)?");

    /**
     * Reads a text of the pattern.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static RelaySettings parse(String text) {
        Matcher matcher = PARTS.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "expected HOST:PORT, HOST:PORT via HOST:PORT or HOST:PORT dialled, got '" + text + "'");
        }
        String at = matcher.group("at") != null ? matcher.group("at") : matcher.group("place");
        return new RelaySettings(
                matcher.group("host").replaceAll("[\\[\\]]", ""),
                Integer.parseInt(matcher.group("port")),
                matcher.group("via"),
                matcher.group("dialled") == null ? null : at);
    }

    /** Names its place, as others name it in their {@code via}. */
    public String place() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /**
     * Takes apart where the controller connects to it.
     *
     * @return {@code null}: it does not
     */
    public @Nullable RelaySettings dialledPlace() {
        return dialled == null ? null : parse(dialled);
    }

    /** Lists those that no other relay leads to: testers come there. */
    public static List<RelaySettings> outermost(List<RelaySettings> relays) {
        return relays.stream()
                .filter(relay ->
                        relays.stream().noneMatch(other -> relay.place().equals(other.via())))
                .toList();
    }

    /** Says what is wrong with the relays of a run; empty: nothing. */
    public static String problem(List<RelaySettings> relays) {
        for (int i = 0; i < relays.size(); i++) {
            String via = relays.get(i).via();
            // One after another, so that nobody leads in a circle.
            if (via != null
                    && relays.subList(0, i).stream()
                            .noneMatch(before -> before.place().equals(via))) {
                return "expected 'via' to refer to a relay listed earlier, got " + via;
            }
            String place = relays.get(i).place();
            if (relays.subList(0, i).stream().anyMatch(before -> before.place().equals(place))) {
                return "expected each relay to be listed once, got " + place + " twice";
            }
            if (relays.get(i).port() < 1 || relays.get(i).port() > 65_535) {
                return "expected ports from 1 to 65535, got " + relays.get(i).port();
            }
        }
        return "";
    }
}
