package org.diperf.plugins.ssh;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Node;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/** Looks at nodes: what they are and how far away. Changes nothing on them. Thread-safe. */
final class Survey {

    static final int MIN_JAVA = 17;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long KIB = 1024;
    /** Below that a run's files and logs may not fit. */
    private static final long MIN_DISK = 64 << 20;

    private static final int CLOCK_EXCHANGES = 6;
    private static final int NWS_PORT = 8060;
    private static final int IPERF_PORT = 5201;
    private static final int CHUNK = 64 << 10;
    private static final Pattern VERSION = Pattern.compile("version \"(?:1\\.)?([0-9]+)");

    private static final Pattern TICKS = Pattern.compile("([0-9]+) ([0-9]+)\n([0-9]+) ([0-9]+)");

    /** Side by side they would measure each other. */
    private final Semaphore oneAtATime = new Semaphore(1);

    private final String java;
    private final String folder;
    private final @Nullable Url target;
    private final @Nullable Url bandwidthBy;
    private final @Nullable JavaArchive sent;
    private final NanoClock clock;

    /**
     * @param java command of the testers
     * @param folder for runs, empty: the default one
     * @param target to which the way is timed
     * @param bandwidthBy what takes or gives bytes at the service, as of {@link #checkBandwidth}; {@code null}: nothing
     * @param sent what nodes without a Java get
     */
    Survey(
            String java,
            String folder,
            List<Url> target,
            @Nullable Url bandwidthBy,
            @Nullable JavaArchive sent,
            NanoClock clock) {
        this.java = java;
        this.folder = folder;
        this.target = target.isEmpty() ? null : target.get(0);
        this.bandwidthBy = bandwidthBy;
        this.sent = sent;
        this.clock = clock;
    }

    /**
     * Reads what bandwidth towards the service is measured by.
     *
     * @throws IllegalArgumentException when it is none of what a node can speak with its shell
     */
    static Url checkBandwidth(String text) {
        Url by = Url.of(text);
        if (!List.of("nws", "iperf", "http").contains(by.scheme()) || by.host() == null) {
            throw new IllegalArgumentException(
                    "testbed.bandwidth: expected nws://HOST:PORT or iperf://HOST:PORT for a server next to the "
                            + "service, or http://HOST:PORT/PATH for a download from the service, got "
                            + "'" + text + "'");
        }
        return by;
    }

    /**
     * What was found.
     *
     * @param node for the controller
     * @param sendJava whether it needs the Java that is sent
     */
    record Found(Node node, boolean sendJava) {}

    /** Describes a node that cannot be reached. */
    static Node unreachable(Candidate candidate, String why) {
        return new Node(candidate.name(), candidate.labels(), Map.of(), Map.of(), why);
    }

    Found look(Candidate candidate, Connection connection) throws IOException {
        Url to = target;
        String host = to == null || port(to) <= 0 ? null : to.host();
        Script probe = Script.named("probe.sh")
                .with("java", java)
                .with("folder", folder)
                .with("target_host", host == null ? "" : host)
                .with("target_port", host == null || to == null ? "" : String.valueOf(port(to)));
        Facts facts = new Facts(connection.run(probe, LIMIT).orThrow("an answer from sh on " + connection.address()));
        Map<String, Double> measures = new LinkedHashMap<>();
        Map<String, String> words = new LinkedHashMap<>();
        facts.number("cores").ifPresent(cores -> measures.put(Node.CORES, cores));
        facts.number("memory").ifPresent(kib -> measures.put(Node.MEMORY, kib * KIB));
        facts.number("free").ifPresent(kib -> measures.put(Node.FREE, kib * KIB));
        double available = facts.available();
        if (!Double.isNaN(available)) {
            measures.put(Node.AVAILABLE, available);
        }
        facts.number("load").ifPresent(load -> measures.put(Node.LOAD, load));
        facts.number("disk").ifPresent(kib -> measures.put(Node.DISK, kib * KIB));
        words.put(
                "system",
                facts.text("system", facts.text("os", "?")) + ", " + facts.text("os", "") + " "
                        + facts.text("release", "") + " " + facts.text("arch", ""));
        int major = facts.java();
        boolean sendJava = major < MIN_JAVA && sent != null && sent.arch().equals(facts.text("arch", ""));
        measures.put(Node.JAVA, (double) (sendJava && sent != null ? sent.major() : major));
        words.put("java", sendJava && sent != null ? sent.major() + ", sent to it" : facts.javaInWords());
        words.put("folder", facts.text("folder", "?"));
        clockAndWay(connection, facts, measures, words);
        bandwidth(connection, measures, words);
        String trouble = trouble(facts, major, sendJava);
        return new Found(new Node(candidate.name(), candidate.labels(), measures, words, trouble), sendJava);
    }

    static int port(Url uri) {
        if (uri.port() > 0) {
            return uri.port();
        }
        return switch (uri.scheme()) {
            case "http" -> 80;
            case "https" -> 443;
            default -> -1;
        };
    }

    private String trouble(Facts facts, int major, boolean sendJava) {
        String lacks = facts.all("lacks");
        if (!lacks.isEmpty()) {
            return "it lacks " + lacks + " (on Debian: coreutils, util-linux, grep, tar, gzip)";
        }
        if (facts.has("unwritable")) {
            return "cannot write to " + facts.text("unwritable", "") + " for the folder " + facts.text("folder", "")
                    + ": choose a different folder with testbed.folder";
        }
        if (facts.number("disk").orElse(Double.MAX_VALUE) * KIB < MIN_DISK) {
            return "not enough space for the folder " + facts.text("folder", "") + ": expected 64 MiB, got "
                    + Math.round(facts.number("disk").orElse(0.0) / KIB)
                    + " MiB; free some space or choose a different folder with testbed.folder";
        }
        if (major >= MIN_JAVA || sendJava) {
            return "";
        }
        String remedy = sent == null
                ? ": install Java " + MIN_JAVA
                        + " or later, set its command with testbed.java, or send one with testbed.runtime"
                : ": testbed.runtime is for " + sent.arch() + ", the machine is " + facts.text("arch", "?");
        return (major == 0
                        ? "no Java: found no command '" + java + "'"
                        : "its Java is too old: expected " + MIN_JAVA + " or later, got " + facts.javaInWords())
                + remedy;
    }

    /** Asks for the wall clock a few times over one channel; the exchange with the least round trip counts. */
    private void clockAndWay(
            Connection connection, Facts facts, Map<String, Double> measures, Map<String, String> words)
            throws IOException {
        long least = Long.MAX_VALUE;
        double offsetMillis = 0;
        try (Connection.Running running = connection.start(Script.named("clock.sh"), LIMIT)) {
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(running.out(CHUNK), StandardCharsets.US_ASCII));
            for (int i = 0; i < CLOCK_EXCHANGES; i++) {
                Instant asked = Instant.now();
                long before = clock.nanoTime();
                running.in().write('\n');
                running.in().flush();
                String answer = answers.readLine();
                long tripNanos = clock.nanoTime() - before;
                if (answer == null || !answer.matches("[0-9]{10,18}")) {
                    break;
                }
                if (tripNanos < least) {
                    least = tripNanos;
                    double here = ChronoUnit.MICROS.between(Instant.EPOCH, asked) / 1e3 + tripNanos / 2e6;
                    offsetMillis = Long.parseLong(answer) / 1e3 - here;
                }
            }
        }
        if (least < Long.MAX_VALUE) {
            measures.put(Node.OFFSET, offsetMillis);
            words.put("clock", format("its wall clock minus this machine's, accurate to %.1f ms", least / 2e6));
        }
        double connectMicros = facts.least("connect");
        if (connectMicros < Double.MAX_VALUE) {
            measures.put(Node.RTT, connectMicros / 1e3);
            words.put("round trip", "TCP connect to the target " + target);
        } else {
            words.put("round trip", "not measured: no TCP connection from the machine to the target");
        }
    }

    /** How fast bytes go between the machine and the service; nothing is measured where no server was named for it. */
    private void bandwidth(Connection connection, Map<String, Double> measures, Map<String, String> words)
            throws IOException {
        Url by = bandwidthBy;
        if (by == null) {
            words.put("bandwidth", "not measured: testbed.bandwidth is not set");
            return;
        }
        int port = by.port() > 0
                ? by.port()
                : switch (by.scheme()) {
                    case "nws" -> NWS_PORT;
                    case "iperf" -> IPERF_PORT;
                    default -> 80;
                };
        Script script = Script.named("bandwidth.sh")
                .with("by", by.scheme())
                .with("host", requireNonNull(by.host()))
                .with("port", String.valueOf(port))
                .with("path", by.path().isEmpty() ? "/" : by.pathAndQuery());
        oneAtATime.acquireUninterruptibly();
        try {
            Facts facts =
                    new Facts(connection.run(script, LIMIT).orThrow("an answer from sh on " + connection.address()));
            double bytes = facts.number("bytes").orElse(0.0);
            double micros = facts.number("micros").orElse(0.0);
            if (bytes > 0 && micros > 0) {
                measures.put(Node.BANDWIDTH, bytes * 1e6 / micros);
                words.put("bandwidth", format("by %s, %.0f KiB", by, bytes / KIB));
            } else {
                words.put("bandwidth", "not measured: " + facts.text("why", "no answer from " + by));
            }
        } finally {
            oneAtATime.release();
        }
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** The lines of the probe: a word and its text each. */
    private static final class Facts {

        private final Map<String, StringBuilder> texts = new HashMap<>();

        Facts(String lines) {
            lines.lines().forEach(line -> {
                int blank = line.indexOf(' ');
                if (blank > 0) {
                    StringBuilder text = texts.computeIfAbsent(line.substring(0, blank), name -> new StringBuilder());
                    text.append(text.length() == 0 ? "" : "\n")
                            .append(line.substring(blank + 1).strip());
                }
            });
        }

        boolean has(String name) {
            return texts.containsKey(name);
        }

        String text(String name, String otherwise) {
            StringBuilder text = texts.get(name);
            return text == null || text.length() == 0 ? otherwise : text.toString();
        }

        String all(String name) {
            return text(name, "").replace("\n", ", ");
        }

        Optional<Double> number(String name) {
            String text = text(name, "");
            return text.matches("[0-9]+(\\.[0-9]+)?") ? Optional.of(Double.valueOf(text)) : Optional.empty();
        }

        double least(String name) {
            return text(name, "")
                    .lines()
                    .filter(line -> line.matches("[0-9]+"))
                    .mapToDouble(Double::parseDouble)
                    .min()
                    .orElse(Double.MAX_VALUE);
        }

        /**
         * Returns the share of a processor that a new process would get: what is idle, and of the rest a fair part next to those that run
         * (R. Wolski, N. Spring, J. Hayes, <i>Predicting the CPU availability of time-shared Unix systems</i>, 1999, its method by
         * vmstat), over all processors, at most one. {@code NaN}: not told.
         */
        double available() {
            Matcher ticks = TICKS.matcher(text("ticks", ""));
            Optional<Double> cores = number("cores");
            if (!ticks.matches() || cores.isEmpty()) {
                return Double.NaN;
            }
            double busy = Double.parseDouble(ticks.group(3)) - Double.parseDouble(ticks.group(1));
            double idle = Double.parseDouble(ticks.group(4)) - Double.parseDouble(ticks.group(2));
            if (!(busy >= 0 && idle >= 0 && busy + idle > 0)) {
                return Double.NaN;
            }
            // The shell that asks runs too.
            double others = Math.max(0, number("running").orElse(1.0) - 1);
            double all = cores.get() * (idle + busy / (others + 1)) / (busy + idle);
            return Math.min(1, all);
        }

        int java() {
            Matcher version = VERSION.matcher(text("javasays", ""));
            return version.find() ? Integer.parseInt(version.group(1)) : 0;
        }

        String javaInWords() {
            String said = text("javasays", "none").lines().findFirst().orElse("none");
            return said + (has("javapath") ? " (" + text("javapath", "") + ")" : "");
        }
    }
}
