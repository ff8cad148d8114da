package org.diperf.plugins.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * What an agent may do. An experiment is held against it with every default filled in, and what is not known to be harmless is
 * refused.
 *
 * @param rate most arrivals a second
 * @param clients most of closed load
 * @param longest load of all runs that one call of a tool makes
 * @param hosts names that may be called, in lower case
 * @param plugins client plugins that may be used
 * @param folder real path of the only folder whose files may be named
 */
record Caps(double rate, long clients, Duration longest, Set<String> hosts, Set<String> plugins, Path folder) {

    /** Keys that neither start programs nor open ports nor send anything elsewhere. */
    private static final Set<String> HARMLESS = Set.of(
            "name",
            "labels",
            "seed",
            "target",
            "client",
            "data",
            "testbed",
            "load",
            "groups",
            "measure",
            "thresholds",
            "report",
            "clock",
            "controller",
            "capture",
            "trace",
            "unreachable",
            "monitors");

    private static final Set<String> LOADS = Set.of(
            "clients",
            "start-every",
            "run-for",
            "end-every",
            "calls",
            "calls-per-client",
            "volume",
            "think",
            "pace",
            "timeout",
            "on-failure",
            "placement",
            "order",
            "open",
            "stages",
            "levels",
            "search");

    private static final Set<String> TESTBEDS = Set.of("local", "in-process");
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    /** Options of a JVM that do not start programs. */
    private static final Pattern JVM = Pattern.compile("-Xm[sx][0-9]+[kKmMgG]?|-XX:\\+Use[A-Za-z]+GC");

    private static final Set<String> MONITORS = Set.of("host", "process", "log", "prometheus");
    private static final Pattern URL = Pattern.compile("(?:[A-Za-z][A-Za-z0-9+.-]*:)?//([^/?#\\s]*)");
    private static final Pattern PORT = Pattern.compile(":[0-9]*$");
    private static final Pattern SECRET_FILE = Pattern.compile("\\$\\{secret:file:([^}]*)}");
    /** Parameters whose files testers read. */
    private static final Pattern FILES = Pattern.compile(".*\\.(?:body-file|ca|cert|key|descriptors)");

    private static final Pattern UP = Pattern.compile("@?(?:[^\\s\"'{}]*/)?\\.\\.(?:/|$)");
    private static final Pattern RANGE = Pattern.compile("\\.\\.");

    /**
     * Refuses a run that goes beyond the caps.
     *
     * @param keys of its experiment file
     * @param planned time of its load; empty: only the service bounds it
     * @param before time of the load of runs that were admitted for the same call of a tool
     * @return time of the load of all of them
     * @throws IllegalArgumentException with what was expected, got and to do
     */
    Duration admit(Map<String, ?> keys, Optional<Duration> planned, Duration before) {
        keys.forEach((key, value) -> {
            if (!HARMLESS.contains(key) && !isEmpty(value)) {
                throw refused("an experiment without '" + key + "'", "one with it", "remove it");
            }
        });
        testbed(mapping(keys, "testbed"));
        controller(mapping(keys, "controller"));
        load(keys);
        Duration all = before.plus(planned.orElseThrow(
                () -> refused("a load with a known end", "one that only its calls or bytes end", "add run-for")));
        if (all.compareTo(longest) > 0) {
            throw refused(
                    "at most " + Quantity.format(longest) + " of load", Quantity.format(all), "shorten it (--max-for)");
        }
        client(keys);
        each("", keys, (path, text) -> {
            if (!path.equals("testbed.java")) {
                text(path, text);
            }
        });
        return all;
    }

    private static void testbed(Map<String, ?> testbed) {
        Object kind = testbed.containsKey("kind") ? testbed.get("kind") : "local";
        if (!TESTBEDS.contains(String.valueOf(kind))) {
            throw refused("a testbed of kind " + TESTBEDS, "'" + kind + "'", "use local");
        }
        int processors = Runtime.getRuntime().availableProcessors();
        if (testbed.get("testers") instanceof Number testers && testers.longValue() > processors) {
            throw refused("at most " + processors + " testers", String.valueOf(testers), "use fewer");
        }
        each("", testbed, (path, text) -> {
            if (path.equals("java") && !text.equals(JAVA)
                    || path.startsWith("jvm") && !JVM.matcher(text).matches()) {
                throw refused("testers with their usual Java", "'testbed." + path + ": " + text + "'", "remove it");
            }
        });
    }

    private static void controller(Map<String, ?> controller) {
        each("", controller, (path, text) -> {
            if (path.matches("listen|advertise|relays.*") && !text.equals("127.0.0.1")) {
                throw refused("a controller at 127.0.0.1 alone", "'" + path + ": " + text + "'", "remove it");
            }
        });
    }

    private void load(Map<String, ?> keys) {
        List<Map<String, ?>> loads = new ArrayList<>();
        mapping(keys, "groups").values().forEach(group -> loads.add(mapping(asMapping(group), "load")));
        if (keys.containsKey("load")) {
            loads.add(mapping(keys, "load"));
        }
        double perSecond = 0;
        double together = 0;
        for (Map<String, ?> load : loads) {
            for (String key : load.keySet()) {
                if (!LOADS.contains(key)) {
                    throw refused("a load of " + LOADS, "'" + key + "'", "remove it");
                }
            }
            perSecond += most(load, "rate");
            together += most(load, "clients");
        }
        if (perSecond > rate) {
            throw refused(
                    "at most " + Quantity.formatRate(rate), Quantity.formatRate(perSecond), "lower it (--max-rate)");
        }
        if (together > clients) {
            throw refused(
                    "at most " + clients + " clients", String.valueOf((long) together), "lower it (--max-clients)");
        }
    }

    /** Returns the highest value of a key of a load, wherever it stands. */
    private static double most(Map<String, ?> load, String name) {
        double[] most = new double[1];
        each("", load, (path, text) -> {
            if (path.matches("(.*\\.)?" + name + "(\\.[0-9]+)?")) {
                for (String end : RANGE.split(text)) {
                    most[0] = Math.max(most[0], Quantity.rate(end.strip()));
                }
            }
        });
        return most[0];
    }

    private void client(Map<String, ?> keys) {
        each("", mapping(keys, "client"), (path, text) -> {
            if (path.matches("plugin|journeys\\..*\\.plugin") && !plugins.contains(text)) {
                throw refused("a client of " + plugins, "'" + text + "'", "use one of these (--client)");
            }
            if (path.matches("(.*\\.)?follow") && !text.equals("0")) {
                throw refused(
                        "no redirects, which lead anywhere",
                        "'follow: " + text + "'",
                        "call the place where they lead");
            }
        });
        each("", Map.of("monitors", keys.containsKey("monitors") ? keys.get("monitors") : List.of()), (path, text) -> {
            if (path.endsWith(".kind") && !MONITORS.contains(text)) {
                throw refused("a monitor of kind " + MONITORS, "'" + text + "'", "remove it");
            }
        });
        each("", Map.of("target", keys.containsKey("target") ? keys.get("target") : ""), (path, text) -> {
            if (path.matches("target(\\.each\\.[0-9]+)?") && !URL.matcher(text).lookingAt()) {
                throw refused("a target such as http://127.0.0.1:8080/", "'" + text + "'", "give its URL");
            }
        });
    }

    /** Refuses texts that lead to other hosts or files. */
    private void text(String path, String text) {
        Matcher url = URL.matcher(text);
        while (url.find()) {
            String authority = url.group(1);
            String host = PORT.matcher(authority.substring(authority.lastIndexOf('@') + 1))
                    .replaceFirst("")
                    .toLowerCase(Locale.ROOT);
            if (!hosts.contains(host)) {
                throw refused("a host of " + hosts, "'" + host + "' in '" + path + "'", "use one of these (--allow)");
            }
        }
        Matcher secret = SECRET_FILE.matcher(text);
        while (secret.find()) {
            checkFile(path, secret.group(1));
        }
        boolean isFile = text.startsWith("@") || FILES.matcher(path).matches();
        if (isFile && text.contains("${") || UP.matcher(text).lookingAt()) {
            // Where it leads is known only to testers.
            throw refused("a fixed path without '..'", "'" + text + "' in '" + path + "'", "write it out");
        }
        checkFile(path, text.replaceFirst("^@", "").replaceFirst(";type=.*$", ""));
    }

    private void checkFile(String path, String text) {
        try {
            Path file =
                    folder.resolve(text.startsWith("~/") ? System.getProperty("user.home") + text.substring(1) : text);
            if (Files.isRegularFile(file) && !file.toRealPath().startsWith(folder)) {
                throw refused("files in " + folder, "'" + text + "' in '" + path + "'", "copy it there (--dir)");
            }
        } catch (InvalidPathException | IOException noFile) {
            // Nor can the run read it.
        }
    }

    /**
     * Returns a file or folder that an agent named.
     *
     * @throws IllegalArgumentException if there is none in the folder
     */
    Path inside(String named) {
        try {
            Path real = folder.resolve(named).toRealPath();
            if (real.startsWith(folder)) {
                return real;
            }
        } catch (InvalidPathException | IOException none) {
            throw refused("a file or folder in " + folder, "nothing at '" + named + "'", "name one that exists");
        }
        throw refused("a file or folder in " + folder, "'" + named + "'", "name one in it");
    }

    private static void each(String path, Object value, BiConsumer<String, String> to) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, item) -> each(path.isEmpty() ? String.valueOf(key) : path + "." + key, item, to));
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                each(path + "." + i, list.get(i), to);
            }
        } else {
            to.accept(path, String.valueOf(value));
        }
    }

    private static Map<String, ?> mapping(Map<String, ?> of, String key) {
        return asMapping(of.get(key));
    }

    @SuppressWarnings("unchecked") // Keys of a file are texts.
    private static Map<String, ?> asMapping(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, ?>) map : Map.of();
    }

    private static boolean isEmpty(@Nullable Object value) {
        return value == null
                || value instanceof Map<?, ?> map && map.isEmpty()
                || value instanceof Collection<?> list && list.isEmpty()
                || value.equals("");
    }

    private static IllegalArgumentException refused(String expected, String got, String remedy) {
        return new IllegalArgumentException("expected " + expected + ", got " + got + "; " + remedy);
    }
}
