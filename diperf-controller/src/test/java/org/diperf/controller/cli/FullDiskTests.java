package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.diperf.analyzer.run.RunJson;
import org.diperf.core.experiment.SecretMask;
import org.diperf.core.faults.FaultyDisk;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A disk that fills, or breaks down, whatever a command does with it: the exit code and the message say what to do; no file is
 * there in part; and when the disk works again, the one command that the message names ends with every call that was
 * acknowledged. {@code ./check} tries a few moments, {@code ./check --long} strikes after each thing that is done with the disk.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class FullDiskTests {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final Pattern COMMAND =
            Pattern.compile("diperf ((?:run --resume|report|export|compare|verify|import) .+)$", Pattern.MULTILINE);
    private static final Pattern AGAIN = Pattern.compile("run it again|give the same command again");

    @TempDir
    private Path work = Path.of("");

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final AtomicInteger served = new AtomicInteger();
    private ExecutorService threads;
    private HttpServer target;
    private int disks;

    /** What is wrong with the disk. */
    private enum Trouble {
        FULL("is full: ", "No space left on device", "make room"),
        FAILING("fails: ", "Input/output error", "dmesg");

        final List<String> words;

        Trouble(String... words) {
            this.words = List.of(words);
        }

        void begin(FaultyDisk disk) {
            if (this == FULL) {
                disk.leaveRoom(0);
            } else {
                disk.breakDown("Input/output error");
            }
        }

        static void end(FaultyDisk disk) {
            disk.makeRoom();
            disk.breakDown("");
        }
    }

    /** What is about to be written when the trouble begins. */
    private enum Moment {
        START("run/experiment.yml"),
        JOURNAL("run/control/"),
        SAMPLES("run/samples/"),
        /** Once samples have been acknowledged. */
        RECORD("run/run.json"),
        SUMMARY("run/summary.json"),
        FIGURES("run/figures/");

        final String prefix;

        Moment(String prefix) {
            this.prefix = prefix;
        }
    }

    /** A disk, what was done with it, and the samples that it has promised to keep. */
    private final class TriedDisk implements Consumer<FaultyDisk.Event> {
        final Path real;
        final FaultyDisk disk;
        final Path run;
        final Map<String, byte[]> promised = new ConcurrentHashMap<>();
        final AtomicBoolean hasBegun = new AtomicBoolean();
        private Trouble trouble = Trouble.FULL;
        private int events;

        private int last = Integer.MAX_VALUE;

        TriedDisk() throws IOException {
            real = Files.createDirectory(work.resolve("disk-" + ++disks));
            disk = new FaultyDisk(real);
            run = disk.root().resolve("run");
            disk.tell(this);
        }

        /** Lets the trouble begin when a file is about to be written. */
        void troubleBefore(Moment moment, Trouble with) {
            trouble = with;
            disk.tellBeforeWrites(name -> {
                boolean isIt = name.startsWith(moment.prefix) && (moment != Moment.RECORD || !promised.isEmpty());
                if (isIt && !hasBegun.getAndSet(true)) {
                    trouble.begin(disk);
                }
            });
        }

        /** Lets so many things be done from now on. */
        void troubleAfter(int done, Trouble with) {
            trouble = with;
            events = 0;
            last = done;
            if (done == 0) {
                trouble.begin(disk);
            }
        }

        boolean isStruck() {
            return events >= last;
        }

        @Override
        public void accept(FaultyDisk.Event event) {
            if (event.kind() == FaultyDisk.Kind.FORCE && event.name().startsWith("run/samples/")) {
                byte[] durable = disk.durable(event.name());
                if (durable != null) {
                    promised.put(event.name().substring("run/samples/".length()), durable);
                }
            }
            if (++events == last) {
                trouble.begin(disk);
            }
        }

        void works() {
            last = Integer.MAX_VALUE;
            Trouble.end(disk);
        }

        /** Runs a command whose paths lie on this disk; the disk works again when the command says that it waits for that. */
        Said diperf(Object... arguments) {
            Heard out = new Heard(text -> {});
            Heard err = new Heard(text -> {
                if (text.contains("within 10 minutes")) {
                    works();
                }
            });
            String[] words = Stream.of(arguments).map(String::valueOf).toArray(String[]::new);
            int code = Commands.run(
                    words,
                    new PrintWriter(out),
                    new PrintWriter(err),
                    new SecretMask(),
                    disk.root().getFileSystem());
            return new Said(List.of(words), code, out.toString(), err.toString());
        }

        /** Runs the command that another one has said to give, which must be one. */
        Said asTold(Said told) {
            Matcher named = COMMAND.matcher(told.err);
            Set<List<String>> commands = new LinkedHashSet<>();
            while (named.find()) {
                commands.add(List.of(named.group(1).split(" ")));
            }
            if (commands.isEmpty() && AGAIN.matcher(told.err).find()) {
                commands.add(told.words);
            }
            assertThat(commands).as("commands to give, of %s", told).hasSize(1);
            return diperf(commands.iterator().next().toArray());
        }
    }

    private record Said(List<String> words, int code, String out, String err) {}

    private static final class Heard extends Writer {
        private final StringBuilder text = new StringBuilder();
        private final Consumer<String> told;

        Heard(Consumer<String> told) {
            this.told = told;
        }

        @Override
        public synchronized void write(char[] characters, int from, int length) {
            text.append(characters, from, length);
        }

        @Override
        public synchronized void flush() {
            told.accept(text.toString());
        }

        @Override
        public void close() {}

        @Override
        public synchronized String toString() {
            return text.toString();
        }
    }

    @BeforeEach
    void start() throws IOException {
        System.err.println("seed " + seed);
        threads = Executors.newFixedThreadPool(2);
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        target.setExecutor(threads);
        target.createContext("/", exchange -> {
            served.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        target.start();
    }

    @AfterEach
    void stop() {
        target.stop(0);
        threads.shutdownNow();
    }

    private Path experiment(String collect) throws IOException {
        return Files.writeString(
                work.resolve("full.yml"), """
                seed: 1
                target: http://127.0.0.1:%d/
                testbed: { kind: in-process }
                load: { clients: 2, run-for: 250ms, think: 10ms }
                controller: { collect: %s }
                measure: { window: whole }
                """.formatted(target.getAddress().getPort(), collect));
    }

    private static List<Arguments> moments() {
        if (!LONG) {
            return List.of(
                    Arguments.of("disk", Trouble.FULL, Moment.RECORD),
                    Arguments.of("memory", Trouble.FAILING, Moment.SAMPLES));
        }
        return Stream.of("disk", "memory")
                .flatMap(collect -> Stream.of(Trouble.values())
                        .flatMap(trouble ->
                                Stream.of(Moment.values()).map(moment -> Arguments.of(collect, trouble, moment))))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("moments")
    void aRunEndsWithEveryAcknowledgedCallWhateverDidNotFit(String collect, Trouble trouble, Moment moment)
            throws Exception {
        TriedDisk tried = new TriedDisk();
        tried.troubleBefore(moment, trouble);
        Said said = runTried(tried, experiment(collect), trouble);
        assertThat(tried.hasBegun).as("%s", said).isTrue();
        assertThat(said.err()).contains(trouble.words);
    }

    @ParameterizedTest
    @CsvSource({"disk,FULL", "disk,FAILING", "memory,FULL", "memory,FAILING"})
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aRunEndsWithEveryAcknowledgedCallWheneverItsDiskFails(String collect, Trouble trouble) throws Exception {
        Path file = experiment(collect);
        TriedDisk whole = new TriedDisk();
        whole.troubleAfter(Integer.MAX_VALUE, trouble);
        Said said = whole.diperf("run", file, "--out", whole.run, "--no-progress");
        assertThat(said.code()).as("%s", said).isZero();
        everythingIsThere(whole, said);
        for (int at = 0; at < whole.events; at++) {
            System.err.println(collect + " " + trouble + " after " + at + " of " + whole.events);
            TriedDisk tried = new TriedDisk();
            tried.troubleAfter(at, trouble);
            runTried(tried, file, trouble);
        }
    }

    private Said runTried(TriedDisk tried, Path file, Trouble trouble) throws Exception {
        Said said = tried.diperf("run", file, "--out", tried.run, "--no-progress");
        boolean asked = !said.err.isEmpty() && said.code != 0;
        if (asked) {
            assertThat(said.code()).as("%s", said).isEqualTo(3);
            assertThat(said.err()).contains(trouble.words).contains("the disk holding " + tried.run);
            noPartIsThere(tried.real);
            tried.works();
            Said then = tried.asTold(said);
            assertThat(then.code()).as("%s, then %s", said, then).isIn(0, 3);
            assertThat(then.err()).as("%s", said).isEmpty();
            everythingIsThere(tried, then);
        } else {
            tried.works();
            everythingIsThere(tried, said);
        }
        if (trouble == Trouble.FULL) {
            String log = Files.readString(tried.real.resolve("run/run.log"));
            String summary = Files.readString(tried.real.resolve("run/summary.json"));
            assertThat(said.out + said.err + log + summary).doesNotContain("killed");
        }
        return said;
    }

    /** The run has ended, its files are whole, and each block that the disk had kept is in its samples once. */
    private void everythingIsThere(TriedDisk tried, Said said) throws Exception {
        Path run = tried.real.resolve("run");
        assertThat(RunJson.read(run.resolve("run.json")).endNanos())
                .as("%s", said)
                .isNotNull();
        assertThat(run.resolve("control")).doesNotExist();
        noPartIsThere(tried.real);
        Map<String, Integer> found = blocks(run.resolve("samples"));
        assertThat(tried.promised)
                .as("what a failure of the machine would leave, of %s", said)
                .isNotEmpty();
        Path promised = Files.createDirectory(work.resolve("promised-" + disks + "-" + random.nextInt()));
        for (Map.Entry<String, byte[]> each : tried.promised.entrySet()) {
            Files.write(promised.resolve(each.getKey()), each.getValue());
        }
        assertThat(found.keySet()).as("%s", said).containsAll(blocks(promised).keySet());
        JsonNode calls = json(run.resolve("summary.json")).get("calls");
        int rows = found.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(calls.get("total").asInt()).as("%s", said).isEqualTo(rows);
        if (said.code() == 0) {
            assertThat(rows).isEqualTo(calls.get("sent").asInt());
        }
        assertThat(run.resolve("report.html")).exists();
    }

    /** Returns how many calls each block has; a block that comes twice fails the test. */
    private static Map<String, Integer> blocks(Path samples) throws IOException {
        Map<String, Integer> blocks = new HashMap<>();
        SampleReader.read(samples, new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) {
                Integer before = blocks.put(
                        header.tester() + "/" + header.number(), header.kind() == Block.CALLS ? header.rows() : 0);
                assertThat(before).as("block %s arrived twice", header).isNull();
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                throw new AssertionError(file + " at " + offset + ": " + reason);
            }
        });
        return blocks;
    }

    private static JsonNode json(Path file) throws IOException {
        return JsonMapper.shared().readTree(Files.readAllBytes(file));
    }

    /** Every file that has the name of a result is whole, and there is no draft. */
    private static void noPartIsThere(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                assertThat(name).doesNotEndWith(".new");
                if (name.endsWith(".json")) {
                    assertThat(json(file).isObject()).as("%s", file).isTrue();
                } else if (name.endsWith(".html")) {
                    assertThat(Files.readString(file).strip()).as("%s", file).endsWith("</html>");
                } else if (name.endsWith(".svg")) {
                    assertThat(Files.readString(file).replaceAll("\\s", ""))
                            .as("%s", file)
                            .endsWith("</svg>");
                } else if (name.endsWith(".png")) {
                    assertThat(ImageIO.read(file.toFile())).as("%s", file).isNotNull();
                } else if (name.endsWith(".csv") && !name.equals("clock.csv")) {
                    assertThat(Files.readString(file)).as("%s", file).endsWith("\n");
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"orders,orders.yml", "made/orders,made/orders.yml"})
    void aStarterThatDoesNotFitLeavesNothingSoThatTheSameCommandWorks(String name, String file) throws IOException {
        TriedDisk tried = new TriedDisk();
        for (long room : new long[] {0, 1, 2_000, 20_000}) {
            tried.disk.leaveRoom(room);
            Said said = tried.diperf("init", tried.disk.root().resolve(name));
            assertThat(said.code()).as("%s, room for %s", said, room).isEqualTo(3);
            assertThat(said.err()).contains("No space left on device", "make room");
            assertThat(tried.real).as("%s", said).isEmptyDirectory();
        }
        tried.works();
        Said said = tried.diperf("init", tried.disk.root().resolve(name));
        assertThat(said.code()).as("%s", said).isZero();
        Path made = tried.real.resolve(file);
        String own = "# my own line\n".repeat(40);
        Files.writeString(made, own);
        tried.disk.leaveRoom(0);
        assertThat(tried.diperf("init", tried.disk.root().resolve(name), "--force")
                        .code())
                .isEqualTo(3);
        assertThat(made).hasContent(own);
    }

    /** The numbers are shown, but no report that is not there. */
    @Test
    void aReportThatDoesNotFitIsNotPromised() throws Exception {
        TriedDisk tried = new TriedDisk();
        tried.troubleBefore(Moment.FIGURES, Trouble.FULL);
        Said said = tried.diperf("run", experiment("disk"), "--out", tried.run, "--no-progress");
        assertThat(said.code()).as("%s", said).isEqualTo(3);
        assertThat(said.out()).contains("none; to create one: ").doesNotContain("report.html");
    }

    /** A command that writes files, with those that it finds already there. */
    private enum Writes {
        REPORT("report", "RUN"),
        REPORT_ELSEWHERE("report", "RUN", "--out", "OUT", "--junit", "OUT/junit.xml"),
        EXPORT("export", "RUN", "--format", "csv"),
        EXPORT_PARQUET("export", "RUN", "--format", "parquet", "--out", "RUN/it.parquet"),
        COMPARE("compare", "RUN", "RUN2", "--out", "OUT", "--junit", "OUT/junit.xml", "--allow-suspect"),
        REPAIR("verify", "RUN", "--fix", "--out", "OUT"),
        IMPORT("import", "CSV", "--out", "OUT", "--no-progress");

        final List<String> words;

        Writes(String... words) {
            this.words = List.of(words);
        }

        Object[] on(TriedDisk tried, Path csv) {
            return words.stream()
                    .map(word -> word.equals("CSV")
                            ? csv.toString()
                            : word.replaceFirst(
                                            "^RUN2",
                                            tried.run.resolveSibling("other").toString())
                                    .replaceFirst("^RUN", tried.run.toString())
                                    .replaceFirst(
                                            "^OUT",
                                            tried.run.resolveSibling("out").toString()))
                    .toArray();
        }
    }

    @Test
    void aReportThatDidNotFitIsMadeByTheSameCommand() throws Exception {
        TriedDisk tried = new TriedDisk();
        MadeRun.write(tried.run, 20, 1, "");
        Files.writeString(tried.real.resolve("run/summary.json"), "{\"of\": \"before\"}");
        Map<String, String> before = contents(tried.real);
        tried.troubleBefore(Moment.SUMMARY, Trouble.FULL);
        Said said = tried.diperf("report", tried.run);
        tried.works();
        Map<String, String> left = contents(tried.real);
        saysWhatToDo(said, Trouble.FULL, tried);
        Said then = tried.asTold(said);
        assertThat(then.code()).as("%s, then %s", said, then).isZero();
        Map<String, String> after = contents(tried.real);
        assertThat(after.get("run/summary.json")).isNotEqualTo(before.get("run/summary.json"));
        nothingIsThereInPart(left, before, after, said);
        noPartIsThere(tried.real);
    }

    private static List<Writes> commands() {
        return LONG ? List.of(Writes.values()) : List.of(Writes.EXPORT, Writes.EXPORT_PARQUET);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void whatACommandWritesIsThereWholeOrNotAtAll(Writes writes) throws Exception {
        TriedDisk tried = new TriedDisk();
        MadeRun.write(tried.run, 20, 1, "");
        MadeRun.write(tried.run.resolveSibling("other"), 20, 2, "");
        Path csv = tried.disk.root().resolve("calls.csv");
        Said exported = tried.diperf("export", tried.run, "--format", "csv", "--out", csv);
        assertThat(exported.code()).as("%s", exported).isZero();
        Map<String, String> before = contents(tried.real);
        tried.troubleAfter(Integer.MAX_VALUE, Trouble.FULL);
        Said first = tried.diperf(writes.on(tried, csv));
        assertThat(first.code()).as("%s", first).isIn(0, 3);
        int events = tried.events;
        Map<String, String> after = contents(tried.real);
        assertThat(after).hasSizeGreaterThan(before.size());
        List<Trouble> troubles = LONG ? List.of(Trouble.values()) : List.of(Trouble.values()[random.nextInt(2)]);
        for (Trouble trouble : troubles) {
            for (int at : LONG ? IntStream.range(0, events).toArray() : new int[] {random.nextInt(events)}) {
                if (writes.words.contains("OUT") && random.nextBoolean()) {
                    // Nothing is there yet, as the first time.
                    reset(tried.real, before);
                }
                if (writes == Writes.IMPORT || writes == Writes.REPAIR) {
                    reset(tried.real, before);
                }
                System.err.println(writes + " " + trouble + " after " + at + " of " + events);
                tried.troubleAfter(at, trouble);
                Said said = tried.diperf(writes.on(tried, csv));
                boolean struck = tried.isStruck();
                tried.works();
                Map<String, String> left = contents(tried.real);
                nothingIsThereInPart(left, before, after, said);
                if (said.code() == first.code() && said.err().equals(first.err())) {
                    continue;
                }
                assertThat(struck).isTrue();
                saysWhatToDo(said, trouble, tried);
                Said then = tried.asTold(said);
                // A report tells of no findings that another command exits with 3 for.
                boolean isSame = then.words.get(0).equals(said.words.get(0));
                assertThat(then.code()).as("%s, then %s", said, then).isEqualTo(isSame ? first.code() : 0);
                assertThat(contents(tried.real)).as("%s, then %s", said, then).isEqualTo(after);
            }
        }
    }

    private static void saysWhatToDo(Said said, Trouble trouble, TriedDisk tried) {
        assertThat(said.code()).as("%s", said).isEqualTo(3);
        assertThat(said.err()).contains(trouble.words).contains("the disk holding " + tried.disk.root());
    }

    private static void nothingIsThereInPart(
            Map<String, String> left, Map<String, String> before, Map<String, String> after, Said said) {
        left.forEach((name, content) ->
                assertThat(content).as("%s after %s", name, said).isIn(before.get(name), after.get(name)));
    }

    private static void reset(Path real, Map<String, String> to) throws IOException {
        try (Stream<Path> all = Files.walk(real)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                String name = real.relativize(each).toString();
                if (Files.isRegularFile(each) ? !to.containsKey(name) : name.startsWith("out")) {
                    Files.delete(each);
                }
            }
        }
    }

    private static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(folder.relativize(file).toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return contents;
    }
}
