package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.controller.documentation.Documentation;
import org.diperf.controller.documentation.Documentation.Code;
import org.diperf.controller.documentation.DocumentedCommand;
import org.diperf.core.ports.FreePorts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command line of {@code README.md} and {@code docs/} is carried out, in one folder and against services on free ports:
 * hosts, ports and durations are other ones ({@link #rewritings}), and what needs more than this machine has is only read
 * ({@link #ONLY_READ}, by {@code DocumentationTests}). Of lines that differ in values alone the short checks take one, the long
 * ones all. The experiments of a page that begin with {@code # NAME.yml} are
 * files of that name while the page's commands are given.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class DocumentedCommandsIT {

    /** Command lines that are not carried out, by what they match, with the reason. */
    private static final Map<String, String> ONLY_READ = new LinkedHashMap<>();

    static {
        ONLY_READ.put("run", "half a minute; QuickstartIT carries it out");
        ONLY_READ.put("calibrate.*", "at least nine seconds of all processors; CalibrateIT carries it out");
        ONLY_READ.put("(?:relay|tester).*", "needs a ticket of a run that waits for it; PartitionIT starts them");
        ONLY_READ.put("serve.*", "serves until it is stopped; ServeIT carries it out");
        ONLY_READ.put("server .*", "runs until it is stopped; ServerCommandIT starts each");
        ONLY_READ.put("run (?:path|ways|weather).yml", "needs such a server; ServerCommandIT has runs with each");
        ONLY_READ.put("run --resume .*", "needs a run that was cut short; ResumeIT carries it out");
        ONLY_READ.put("run http://127.0.0.1:8085/.*", "needs the shop of examples/web; MigrationIT has runs with it");
        ONLY_READ.put(
                "run examples/(?:gallery|papers)/.*",
                "minutes, with servers; examples/gallery/gallery.sh carries them out");
        ONLY_READ.put(
                "(?:run quote:|init load --for quote ).*", "needs the project of 'init plugin', which Maven builds");
        ONLY_READ.put(
                "(?:run head/performance.yml|compare performance/runs) .*",
                "the job of examples/ci, which a test of its own carries out");
        ONLY_READ.put(
                "run (?:examples/web/)?[Ss]hop.(?:yml|java)",
                "needs the shop of examples/web; JourneysIT has runs with it");
        ONLY_READ.put("init shop --har .*", "needs a recording of a browser");
        ONLY_READ.put("init orders --openapi .*", "needs the description of a service");
        ONLY_READ.put("nws .*", "needs servers that run until they are stopped; NwsCliqueIT carries it out");
        ONLY_READ.put("probe .*", "needs servers at the other end; ProbeCommandTests carries it out");
        ONLY_READ.put("capacity .*", "needs the profile of a run with levels; CapacityCommandTests carries it out");
        ONLY_READ.put("run limit.yml", "a search takes its minutes; SearchIT carries one out");
    }

    /** Pages whose command lines are not for readers to type one after another: a log, and what each command's help has. */
    private static final Set<String> LISTS = Set.of("benchmarks.md", "commands.md");

    /** What a command's words become, by what they match. */
    private final Map<Pattern, String> rewritings = new LinkedHashMap<>();

    /** What an experiment's text becomes, so that it ends soon. */
    private static final Map<Pattern, String> SHORTENED = Map.of(
            Pattern.compile("(run-for|for): \\d+(?:s|m|min)\\b"), "$1: 300ms",
            Pattern.compile("hold: \\d+s\\b"), "hold: 200ms, settle: 100ms",
            Pattern.compile("(start-every): \\d+(?:ms|s)\\b"), "$1: 1ms",
            Pattern.compile("(skip|pause): \\d+s\\b"), "$1: 0s",
            Pattern.compile("think: \\{ exponential: 1s }"), "think: 20ms",
            Pattern.compile("(trials: \\{ count): \\d+"), "$1: 1",
            Pattern.compile("kind: local"), "kind: in-process");

    /** Codes other than 0 that a command may end with here, by what it matches. */
    private static final Map<String, Set<Integer>> ENDS = Map.of(
            "compare .*|compare", Set.of(0, 3, 99),
            "predict .*", Set.of(0, 3));

    /** Two variants, for commands that compare them. */
    private static final String VARIANTS =
            "name: variants\ntarget: http://127.0.0.1:8080/\nload: { clients: 4, run-for: 300ms }\n"
                    + "variants: { old: { load.think: 5ms }, new: { load.think: 6ms } }\n";

    /** Whether really all are carried out, or one of each kind. */
    private static final boolean ALL = Boolean.getBoolean("diperf.long");

    private static final String GENERIC =
            "name: orders\ntarget: http://127.0.0.1:8080/\nload: { clients: 4, run-for: 300ms, think: 5ms }\n";

    @TempDir
    Path work;

    @TempDir
    Path scratch;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer http;
    private ServerSocket redis;
    private EchoServer echo;

    @BeforeEach
    void start() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        http.setExecutor(threads);
        http.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        http.start();
        redis = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        threads.execute(this::serveRedis);
        echo = new EchoServer();
        String url = "127.0.0.1:" + http.getAddress().getPort();
        rewritings.put(Pattern.compile("(?:localhost|127\\.0\\.0\\.1):(?:8080|8081)\\b"), url);
        rewritings.put(Pattern.compile("\\b(?:5665|9464)\\b"), String.valueOf(FreePorts.take()));
        rewritings.put(Pattern.compile("\\b8099\\b"), String.valueOf(FreePorts.take()));
        rewritings.put(Pattern.compile("127\\.0\\.0\\.1:7777\\b"), "127.0.0.1:" + echo.port());
        rewritings.put(Pattern.compile("127\\.0\\.0\\.1:6379\\b"), "127.0.0.1:" + redis.getLocalPort());
        rewritings.put(Pattern.compile("^trials\\.count=\\d+$"), "trials.count=2");
        // Runs are shortened, and so are the parts of them.
        rewritings.put(Pattern.compile("^\\d+s\\.\\.\\d+s$"), "50ms..200ms");
    }

    @AfterEach
    void stop() throws IOException {
        http.stop(0);
        redis.close();
        echo.close();
        threads.shutdownNow();
    }

    /** Answers every line as Redis answers {@code PING}. */
    private void serveRedis() {
        try {
            while (true) {
                Socket socket = redis.accept();
                threads.execute(() -> {
                    try (socket) {
                        byte[] line = new byte[512];
                        while (socket.getInputStream().read(line) >= 0) {
                            socket.getOutputStream().write("+PONG\r\n".getBytes(StandardCharsets.US_ASCII));
                        }
                    } catch (IOException e) {
                        // the client has gone
                    }
                });
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static String rewritten(String text, Map<Pattern, String> by) {
        String result = text;
        for (Map.Entry<Pattern, String> each : by.entrySet()) {
            result = each.getKey().matcher(result).replaceAll(each.getValue());
        }
        return result;
    }

    /** Returns what a command line has in common with those that do the same to other values. */
    private static String kind(DocumentedCommand line) throws IOException {
        List<String> kind = new ArrayList<>();
        String first = line.words().get(0);
        for (String word : line.words()) {
            if (word.endsWith(".yml")) {
                Code shown = shown(line.page(), word);
                kind.add(shown == null ? "experiment" : shown.place());
            } else if (word.matches("--?[a-zA-Z].*")) {
                kind.add(word.replaceFirst("=.*", ""));
            } else if (!first.matches("run|check")) {
                kind.add(word);
            }
        }
        kind.sort(Comparator.naturalOrder());
        return first + " " + kind;
    }

    private List<String> words(DocumentedCommand line) throws IOException {
        List<String> words = new ArrayList<>();
        String before = "";
        for (String word : line.words()) {
            // What init has of that name is the client that a file is for.
            boolean lasts = !line.words().get(0).equals("init") && (before.equals("--for") || before.equals("-d"));
            if (lasts) {
                words.add("300ms");
            } else if (word.contains("*")) {
                words.addAll(matching(word));
            } else {
                words.add(rewritten(word, rewritings));
            }
            before = word;
        }
        String command = words.get(0);
        if (command.equals("run")) {
            words.addAll(List.of("--no-progress", "--set", "testbed.kind=in-process"));
            if (words.stream().noneMatch(word -> word.startsWith("--live"))) {
                words.add("--no-report");
            }
        }
        if (command.equals("init") && !words.contains("plugin")) {
            words.add("--force");
        }
        if (command.equals("runs") && words.contains("rm") && !words.contains("--yes")) {
            words.add("--yes");
        }
        return words;
    }

    private List<String> matching(String glob) throws IOException {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        try (Stream<Path> found = Files.list(work.resolve("runs"))) {
            return found.map(work::relativize)
                    .filter(matcher::matches)
                    .map(Path::toString)
                    .sorted()
                    .toList();
        }
    }

    /** Writes the experiments that the page's commands name: its own, those of other pages, or a short one. */
    private void writeFiles(String page, List<DocumentedCommand> lines) throws IOException {
        for (DocumentedCommand line : lines) {
            for (String word : line.words()) {
                if (line.page().equals(page) && word.matches("[\\w-]+\\.yml")) {
                    Code shown = shown(page, word);
                    String text = shown == null ? GENERIC : rewritten(shown.text(), SHORTENED);
                    Files.writeString(work.resolve(word), rewritten(text, rewritings));
                }
            }
        }
    }

    /** Returns what the pages show of a file; {@code null}: nothing. */
    private static @Nullable Code shown(String page, String name) throws IOException {
        Map<String, Code> files = Documentation.files();
        return files.containsKey(page + "/" + name)
                ? files.get(page + "/" + name)
                : files.values().stream()
                        .filter(code -> code.equals(files.get(code.page() + "/" + name)))
                        .findFirst()
                        .orElse(null);
    }

    /** Gives names of runs on the pages to copies of one that there is. */
    private void copyRuns(List<DocumentedCommand> lines) throws IOException {
        for (DocumentedCommand line : lines) {
            for (String word : line.words()) {
                Matcher named = Pattern.compile(
                                "(?:runs/)?((?:orders|sweep|old|new|before|after|baseline|main|mine|a|b|c|other|yesterday)(?:-[\\w*-]+)?)")
                        .matcher(word);
                if (named.matches() && (word.startsWith("runs/") || word.matches("baseline|orders-.*Z"))) {
                    String name = named.group(1);
                    String folder = word.equals("baseline") ? name : "runs/" + name;
                    for (String each : name.contains("*") ? List.of("1", "2") : List.of("")) {
                        Path from = name.matches("sweep.*|.*-variants") ? work.resolve("grid") : work.resolve("one");
                        copy(from, work.resolve(folder.replace("*", each)));
                    }
                }
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        if (Files.exists(to)) {
            return;
        }
        Files.createDirectories(to.toAbsolutePath().getParent());
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Makes the plugins of the pages as they say, by the shell, and that of the README. */
    private void makePlugins(List<Code> code) throws Exception {
        Path target = Files.createDirectories(work.resolve("CLONE/diperf-controller/target"));
        Files.createSymbolicLink(target.resolve("diperf-controller.jar"), Command.controllerJar());
        for (Code each : code) {
            Matcher type = Pattern.compile("(?s).*public final class (\\w+) implements.*")
                    .matcher(each.text());
            if (each.isIn("java") && type.matches()) {
                Files.writeString(work.resolve(type.group(1) + ".java"), each.text());
            }
            if (each.isIn("java") && each.page().equals("README.md")) {
                Files.createDirectories(work.resolve("my-plugins"));
                CompiledClient.jar(work, work.resolve("my-plugins/redis.jar"), type.group(1), each.text());
            }
            boolean builds = each.isShell() && each.text().contains("javac ");
            if (builds) {
                String lines = each.text()
                        .lines()
                        .filter(line -> !line.startsWith("diperf "))
                        .reduce("set -e\n", (all, line) -> all + line + "\n");
                try (Command shell = Command.start(work, List.of("bash", "-c", lines))) {
                    assertThat(shell.exitCode()).as(shell.output()).isZero();
                }
            }
        }
        assertThat(work.resolve("my-plugins/echo.jar")).exists();
    }

    @Test
    void everyCommandLineDoesWhatItsPageSays() throws Exception {
        List<Code> code = Documentation.code();
        List<DocumentedCommand> lines = DocumentedCommand.all(List.of()).stream()
                .filter(line -> !line.isForm() && !LISTS.contains(line.page()))
                .toList();
        Files.writeString(work.resolve("order.json"), "{}");
        String shop = Documentation.files().get("find-the-limit.md/shop.py").text();
        Files.writeString(work.resolve("shop.py"), shop);
        Files.writeString(Files.createDirectory(work.resolve("base")).resolve("shop.py"), shop);
        makePlugins(code);
        Set<String> unused = new HashSet<>(ONLY_READ.keySet());
        Set<String> given = new HashSet<>();
        List<String> wrong = new ArrayList<>();
        String page = "";
        try (CommandSession session = new CommandSession(work, scratch)) {
            Files.writeString(work.resolve("first.yml"), rewritten(GENERIC, rewritings));
            Files.writeString(work.resolve("variants.yml"), rewritten(VARIANTS, rewritings));
            for (String made : List.of(
                    "run first.yml --no-report --set testbed.kind=in-process --out one",
                    "run variants.yml --no-report --set testbed.kind=in-process --out grid",
                    "export one --format jtl --out results.jtl")) {
                CommandSession.Result result = session.give(List.of(made.split(" ")));
                assertThat(result.code()).as(result.output()).isZero();
            }
            for (DocumentedCommand line : lines) {
                String text = String.join(" ", line.words());
                List<String> reasons =
                        ONLY_READ.keySet().stream().filter(text::matches).toList();
                unused.removeAll(reasons);
                if (!page.equals(line.page())) {
                    page = line.page();
                    writeFiles(page, lines);
                }
                if (!reasons.isEmpty() || !given.add(ALL ? text : kind(line))) {
                    continue;
                }
                copyRuns(lines);
                List<String> words = words(line);
                int out = words.indexOf("--out");
                if (words.get(0).equals("run") && out > 0) {
                    remove(work.resolve(words.get(out + 1)));
                }
                System.out.println(line);
                long start = System.nanoTime();
                CommandSession.Result result = session.give(words);
                System.out.printf("  %d after %,d ms%n", result.code(), (System.nanoTime() - start) / 1_000_000);
                Set<Integer> allowed = ENDS.entrySet().stream()
                        .filter(each -> text.matches(each.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(Set.of(0));
                // A machine that is busy leaves thresholds open, or is too slow for them, which the command says.
                boolean isOpen = result.code() == 3 && result.output().contains("\nUNDECIDED ");
                boolean isSlow = result.code() == 99 && result.output().contains("✗ response");
                if (!allowed.contains(result.code()) && !isOpen && !isSlow) {
                    wrong.add(line + "\n  given as " + words + "\n  ended with " + result.code() + ": "
                            + result.output());
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(unused).as("reasons for which nothing is left out any more").isEmpty();
        assertThat(given).hasSizeGreaterThan(35);
    }
}
