package org.diperf.controller.acceptance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleReader;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One run of real processes in which things fail: a controller, tester 1 that speaks to it, and tester 2 that does through a
 * relay. Each of the three ways leads through a {@link Forwarder}; testers keep their spools where the controller's machine
 * does not. Confined to its thread.
 */
final class FaultyRun implements AutoCloseable {

    private static final int TESTERS = 2;
    private static final int CLIENTS = 4;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
    /** The slowest force of an order; a batch is written every 200 ms. */
    private static final int MAX_DISK_MILLIS = 300;

    private static final Pattern TICKET_PORT = Pattern.compile("(?m)^port: (\\d+)$");
    private static final Pattern RELAY = Pattern.compile("relay 1 at \\S*:(\\d+), leads");
    /** One of the next ones has an order; a controller that resumes has more of them before it can end. */
    private static final int FORCES = 6;

    private static final int FORCES_OF_SAMPLES = 2;

    private static final int KILLED = 137;
    private static final int TERMINATED = 143;
    private static final String FULL = "No space left on device";
    private static final String NOT_FORCED = "Input/output error";

    private final CallLog target;
    private final Path work;
    private final Random random;
    private final String trial;
    private final int leaseSeconds;
    private final int lingerSeconds;
    private final @Nullable SmallDisk small;
    private final @Nullable FailingDisk failing;
    private final Path run;
    private final Path spools;
    private final Forwarder direct = new Forwarder();
    private final Forwarder uplink = new Forwarder();
    private final Forwarder behind = new Forwarder();
    private final List<Command> all = new ArrayList<>();
    private final Map<Integer, Command> testers = new TreeMap<>();
    /** By tester that was killed, the calls that were durable then: all that it may have forgotten are among them. */
    private final Map<Integer, Set<String>> durableAtKill = new TreeMap<>();

    private final List<String> story = new ArrayList<>();
    private Command controller;
    private Command relay;
    private boolean hasResumed;
    private long lostInPowerCuts;

    /**
     * Makes room for a run.
     *
     * @param library for a disk that fails; {@code null}: its disk does not
     * @param mounts whether it has a small disk of its own, which can be filled
     * @param trial words by which a failed assertion names the run
     */
    FaultyRun(
            CallLog target,
            Path work,
            @Nullable Path library,
            boolean mounts,
            int leaseSeconds,
            int lingerSeconds,
            Random random,
            String trial)
            throws IOException, InterruptedException {
        this.target = target;
        this.work = Files.createDirectory(work);
        this.random = random;
        this.trial = trial;
        this.leaseSeconds = leaseSeconds;
        this.lingerSeconds = lingerSeconds;
        this.small = mounts ? SmallDisk.mount(work.resolve("disk")) : null;
        this.run = (small == null ? Files.createDirectory(work.resolve("disk")) : small.path).resolve("run");
        this.failing =
                library == null ? null : new FailingDisk(library, run, Files.createDirectory(work.resolve("notes")));
        this.spools = Files.createDirectory(work.resolve("spools"));
    }

    /** Starts the run, and waits until its load is under way. */
    void start() throws IOException, InterruptedException {
        controller = controller("run", "--no-report", experiment().toString(), "--out", run.toString());
        Path relayTicket = awaitTicket("relay-1.ticket");
        int port = port(Files.readString(relayTicket));
        direct.leadTo(port);
        uplink.leadTo(port);
        relay = relay(copy(relayTicket, uplink));
        testers.put(1, tester(copy(awaitTicket("tester-1.ticket"), direct), 1));
        testers.put(2, tester(copy(awaitTicket("tester-2.ticket"), behind), 2));
        // Before the load has begun there is nothing to resume.
        controller.awaitOutput(output -> target.seen().size() >= 20 && Files.exists(run.resolve("run.json")));
    }

    private Path experiment() throws IOException {
        return Files.writeString(work.resolve("faults.yml"), """
                target: tcp://127.0.0.1:%d
                client: { plugin: tcp, with: { send: "${client}-${call}\\n" } }
                testbed: { kind: manual, testers: %d, linger: %ds }
                load: { clients: %d, run-for: 1h, think: 8ms, timeout: 2m }
                measure: { window: whole }
                controller: { lease: %ds, relays: [127.0.0.1:%d] }
                """.formatted(
                        target.port(), TESTERS, lingerSeconds, CLIENTS, leaseSeconds, behind.port()));
    }

    // Processes

    private Command controller(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(failing == null ? List.of() : failing.command());
        command.addAll(Command.commandLine(Command.controllerJar(), arguments));
        return started(Command.start(work, command));
    }

    private Command relay(Path ticket) throws IOException, InterruptedException {
        Command made = started(Command.diperf(work, "relay", "--ticket", ticket.toString(), "--listen", "127.0.0.1:0"));
        made.awaitOutput(output -> RELAY.matcher(output).find());
        Matcher place = RELAY.matcher(made.output());
        assertThat(place.find()).isTrue();
        behind.leadTo(Integer.parseInt(place.group(1)));
        return made;
    }

    private Command tester(Path ticket, int number) throws IOException, InterruptedException {
        return started(Command.diperf(
                work,
                "tester",
                "--ticket",
                ticket.toString(),
                "--spool",
                spool(number).getParent().toString()));
    }

    private Path spool(int tester) {
        return spools.resolve("tester-" + tester + ".spool");
    }

    private Command started(Command command) {
        all.add(command);
        return command;
    }

    private Path awaitTicket(String name) throws InterruptedException {
        controller.awaitOutput(output -> output.contains(name));
        return run.resolve("control").resolve(name);
    }

    private static int port(String ticket) {
        Matcher port = TICKET_PORT.matcher(ticket);
        assertThat(port.find()).as(ticket).isTrue();
        return Integer.parseInt(port.group(1));
    }

    /** Copies a ticket to where its holder is, which is led through the forwarder. */
    private Path copy(Path ticket, Forwarder way) throws IOException {
        String led = TICKET_PORT.matcher(Files.readString(ticket)).replaceFirst("port: " + way.port());
        return Files.writeString(work.resolve(ticket.getFileName().toString()), led);
    }

    private static void kill(Command victim) throws InterruptedException {
        victim.process().destroyForcibly().waitFor();
    }

    // Instants

    private void tell(String what) {
        story.add(what);
    }

    /** Tells all that is known of the run, for whoever looks for the cause of a failure. */
    private String told(Command command) {
        String log;
        try {
            log = Files.readString(run.resolve("run.log"));
        } catch (IOException e) {
            log = String.valueOf(e);
        }
        return String.join("\n", trial, String.join("\n", story), command.output(), log);
    }

    private void pause(int mostMillis) throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(random.nextInt(1_000 * mostMillis));
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private void await(String what, Condition condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Waited in vain: " + what + "\n" + told(controller));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Waits for the end of a process. */
    private int exitCode(Command command) throws IOException, InterruptedException {
        await(
                "the end of a process: " + command.output(),
                () -> !command.process().isAlive());
        return command.exitCode();
    }

    private long bytesKept() throws IOException {
        long bytes = 0;
        if (Files.isDirectory(run.resolve("samples"))) {
            try (Stream<Path> files = Files.list(run.resolve("samples"))) {
                for (Path file : files.toList()) {
                    bytes += Files.size(file);
                }
            }
        }
        return bytes;
    }

    /** Waits until more samples are kept than now. */
    private void awaitSamples() throws IOException, InterruptedException {
        long before = bytesKept();
        await("more samples", () -> {
            assertThat(controller.process().isAlive()).as(told(controller)).isTrue();
            return bytesKept() > before;
        });
    }

    /** Waits for a random instant: mostly while samples come in, now and then while the controller is only coming up. */
    void awaitInstant() throws IOException, InterruptedException {
        if (!hasResumed || random.nextInt(4) > 0) {
            awaitSamples();
            pause(500);
        } else {
            pause(1_000);
        }
    }

    /** Has another controller resume the run, if there is none, at some time. */
    void resumeIfGone() throws IOException, InterruptedException {
        if (!controller.process().isAlive()) {
            resume();
        }
    }

    /** Resumes the run with the spools of testers that gave up before. */
    private void resume() throws IOException, InterruptedException {
        pause(random.nextInt(3) == 0 ? 1_500 : 100);
        List<String> arguments = new ArrayList<>(List.of("run", "--no-report", "--resume", run.toString()));
        for (Map.Entry<Integer, Command> tester : testers.entrySet()) {
            Path spool = spool(tester.getKey());
            if (!tester.getValue().process().isAlive() && Files.exists(spool)) {
                arguments.addAll(List.of("--spool", spool.toString()));
            }
        }
        tell("resumed with " + String.join(" ", arguments.subList(3, arguments.size())));
        controller = controller(arguments.toArray(String[]::new));
        hasResumed = true;
    }

    void killController() throws IOException, InterruptedException {
        if (failing != null && random.nextBoolean()) {
            tell("controller killed: " + dies(orderDeath()));
        } else {
            assertThat(controller.process().isAlive()).as(told(controller)).isTrue();
            kill(controller);
            tell("controller killed");
        }
    }

    void killControllerThatResumes() throws IOException, InterruptedException {
        if (failing != null) {
            int before = orderDeath();
            resume();
            tell("controller killed: " + dies(before));
        } else {
            resume();
            pause(300);
            kill(controller);
            tell("controller killed");
        }
    }

    void killRelay() throws IOException, InterruptedException {
        assertThat(relay.process().isAlive()).as(told(relay)).isTrue();
        kill(relay);
        tell("relay killed");
        pause(1_000);
        relay = relay(work.resolve("relay-1.ticket"));
    }

    /** Kills one of the testers. */
    void killTester() throws IOException, InterruptedException {
        int victim = 1 + random.nextInt(TESTERS);
        Command tester = testers.get(victim);
        assertThat(tester.process().isAlive()).as(told(tester)).isTrue();
        kill(tester);
        durableAtKill.put(victim, durable(victim));
        tell("tester " + victim + " killed with " + durableAtKill.get(victim).size() + " calls durable");
    }

    /** Returns the calls of a tester that would be there if the machine of the controller failed now. */
    private Set<String> durable(int tester) throws IOException {
        if (failing == null) {
            return Set.of();
        }
        Path copy = Files.createDirectories(work.resolve("durable-" + tester + "/samples"));
        failing.copyDurable("samples", copy);
        return new RunFolder(copy.getParent())
                .outcomesByCall().keySet().stream()
                        .filter(call -> testerOf(call) == tester)
                        .collect(Collectors.toSet());
    }

    /** Cuts a way, or holds what is under way in one direction or both. */
    void cut() throws IOException, InterruptedException {
        Forwarder way = List.of(direct, uplink, behind).get(random.nextInt(3));
        boolean isDead = durableAtKill.containsKey(way == direct ? 1 : 2) && way != uplink;
        Forwarder used = isDead ? uplink : way;
        await("a connection to cut", used::isUsed);
        int how = random.nextInt(4);
        String name = used == direct ? "tester 1" : used == behind ? "tester 2" : "the relay";
        tell("the way of " + name + " is " + (how == 0 ? "cut" : how == 1 ? "cut for a while" : "held"));
        switch (how) {
            case 0 -> used.cut();
            case 1 -> {
                used.refuse(true);
                used.cut();
            }
            default -> used.hold(how == 2 || random.nextBoolean(), how == 3);
        }
        pause(2_000);
        mend(used);
    }

    private static void mend(Forwarder way) {
        way.refuse(false);
        way.hold(false, false);
    }

    /** Keeps one of the testers from its controller until that one counts it as lost, and it has stopped its load. */
    void cutBeyondLease() throws IOException, InterruptedException {
        int lost = 1 + random.nextInt(TESTERS);
        Forwarder way = lost == 1 ? direct : behind;
        await("a connection to cut", way::isUsed);
        tell("the way of tester " + lost + " is held for longer than the lease");
        way.hold(true, true);
        await("tester " + lost + " to be lost", () -> logged("tester-" + lost + " lost: ") >= 0);
        int[] before = {callsOf(lost)};
        long[] sinceNanos = {System.nanoTime()};
        await("its load to stop", () -> {
            if (callsOf(lost) != before[0]) {
                before[0] = callsOf(lost);
                sinceNanos[0] = System.nanoTime();
            }
            return System.nanoTime() - sinceNanos[0] > TimeUnit.SECONDS.toNanos(1);
        });
        mend(way);
        await("it to be back", () -> logged("tester-" + lost + " is back") > logged("tester-" + lost + " lost: "));
    }

    /** Returns where the last of such lines is in the run's log. */
    private int logged(String words) throws IOException {
        return Files.readString(run.resolve("run.log")).lastIndexOf(words);
    }

    private int callsOf(int tester) {
        return (int) target.seen().keySet().stream()
                .filter(call -> testerOf(call) == tester)
                .count();
    }

    /** Fills the disk, at which the controller leaves. */
    void fillDisk() throws IOException, InterruptedException {
        requireNonNull(small).fill(random.nextInt(64 << 10));
        tell("the disk is full");
        leaves(FULL);
    }

    void makeRoom() throws IOException {
        requireNonNull(small).makeRoom();
        tell("there is room");
    }

    /** Has a controller resume the run that finds the disk full. */
    void resumeOnFullDisk() throws IOException, InterruptedException {
        // A page at most.
        requireNonNull(small).fill(random.nextInt(4 << 10));
        tell("the disk is full");
        resume();
        leaves(FULL);
        makeRoom();
    }

    /** Fails a force, at which the controller leaves. */
    void failSync() throws IOException, InterruptedException {
        int before = orderFailure();
        leaves(NOT_FORCED);
        tell("not forced: " + done(before));
    }

    /** The same, of a controller that resumes the run. */
    void failSyncOfResuming() throws IOException, InterruptedException {
        int before = orderFailure();
        resume();
        leaves(NOT_FORCED);
        tell("not forced: " + done(before));
    }

    private void leaves(String why) throws IOException, InterruptedException {
        assertThat(exitCode(controller)).as(told(controller)).isEqualTo(3);
        assertThat(controller.output()).as(told(controller)).contains(why, "--resume");
    }

    private int orderFailure() throws IOException {
        return order(FailingDisk.Order.FAIL);
    }

    /** Has the controller's process die before or after one of the next forces. */
    private int orderDeath() throws IOException {
        return order(random.nextInt(3) > 0 ? FailingDisk.Order.BEFORE : FailingDisk.Order.AFTER);
    }

    /** Returns how many orders were carried out before. */
    private int order(FailingDisk.Order what) throws IOException {
        FailingDisk disk = requireNonNull(failing);
        int before = disk.done().size();
        boolean isOfSamples = random.nextBoolean();
        disk.order(
                what,
                isOfSamples ? "/samples/" : "/",
                random.nextInt(isOfSamples ? FORCES_OF_SAMPLES : FORCES),
                random.nextInt(MAX_DISK_MILLIS));
        return before;
    }

    /** Returns what the last order has done. */
    private String done(int before) throws IOException {
        List<String> done = requireNonNull(failing).done();
        assertThat(done).as(told(controller)).hasSize(before + 1);
        return done.get(before);
    }

    private String dies(int before) throws IOException, InterruptedException {
        assertThat(exitCode(controller)).as(told(controller)).isEqualTo(KILLED);
        return done(before);
    }

    /** Cuts the power of the controller's machine, whose clock goes on all the same, so that the run can be resumed. */
    void cutPower() throws IOException, InterruptedException {
        tell("power cut: " + dies(orderDeath()));
        leaveDurable();
    }

    void cutPowerOfResuming() throws IOException, InterruptedException {
        int before = orderDeath();
        resume();
        tell("power cut: " + dies(before));
        leaveDurable();
    }

    private void leaveDurable() throws IOException {
        long lost = requireNonNull(failing).cutPower(random);
        tell(lost + " bytes are gone");
        lostInPowerCuts += lost > 0 ? 1 : 0;
        whatIsLeftCanBeReported();
    }

    /** Blocks are of use with the record of the run and the clocks of their testers alone. */
    private void whatIsLeftCanBeReported() throws IOException {
        Set<Integer> sent = new HashSet<>();
        SampleReader.read(run.resolve("samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) {
                sent.add(header.tester());
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                // What was being written.
            }
        });
        assertThat(record().get("testers").size()).as(told(controller)).isEqualTo(TESTERS);
        String clocks = Files.readString(run.resolve("clock.csv"));
        assertThat(sent)
                .as(told(controller))
                .allSatisfy(tester -> assertThat(clocks).contains("\n" + tester + ","));
    }

    /** Waits until the testers have left their spools; the controller is gone. */
    void awaitSpools() throws IOException, InterruptedException {
        for (Map.Entry<Integer, Command> tester : testers.entrySet()) {
            if (!durableAtKill.containsKey(tester.getKey())) {
                assertThat(exitCode(tester.getValue()))
                        .as(told(tester.getValue()))
                        .isEqualTo(3);
                assertThat(spool(tester.getKey())).as(told(tester.getValue())).isNotEmptyFile();
            }
        }
        tell("testers have given up");
    }

    // The end

    /**
     * Waits for the end of the run, with another controller if there is none. Where testers still call, as they do within
     * their lease, it is told to end, as by Ctrl-C, when all has come that was measured until then.
     */
    void awaitEnd() throws IOException, InterruptedException {
        if (!controller.process().isAlive()) {
            int before = logged("resumed after ");
            resume();
            await("the run to be resumed", () -> isOver() || logged("resumed after ") > before);
        }
        awaitMeasured();
        controller.process().destroy();
        assertThat(exitCode(controller)).as(told(controller)).isIn(0, 3, TERMINATED);
    }

    /** Waits until all has come that testers have measured up to now, or the run is over. */
    void awaitMeasured() throws IOException, InterruptedException {
        Set<String> seen = target.seen().keySet().stream()
                .filter(call -> !durableAtKill.containsKey(testerOf(call)))
                .collect(Collectors.toSet());
        await("what was measured", () -> isOver() || sampled().containsAll(seen));
    }

    private boolean isOver() {
        return !controller.process().isAlive();
    }

    /** Returns the calls that are in the files now; none while a block is being written. */
    private Set<String> sampled() throws IOException {
        try {
            return new RunFolder(run).outcomesByCall().keySet();
        } catch (AssertionError damaged) {
            return Set.of();
        }
    }

    private static int testerOf(String call) {
        return Integer.parseInt(call.substring(0, call.indexOf('-'))) % TESTERS + 1;
    }

    private JsonNode record() throws IOException {
        return JsonMapper.shared().readTree(Files.readAllBytes(run.resolve("run.json")));
    }

    /** Counts the power cuts that took something away. */
    long lostInPowerCuts() {
        return lostInPowerCuts;
    }

    /** Compares the record with the service's own, call by call. */
    void check() throws IOException {
        String all = told(controller);
        assertThat(run.resolve("control")).as(all).doesNotExist();
        Map<String, String> recorded = new RunFolder(run).outcomesByCall();
        Set<String> seen = target.seen().keySet();
        assertThat(target.doubles()).as(all).isZero();
        Map<String, String> unseen = new TreeMap<>(recorded);
        unseen.keySet().removeAll(seen);
        assertThat(unseen)
                .as(all)
                .hasSizeLessThanOrEqualTo(CLIENTS)
                .allSatisfy((call, outcome) -> assertThat(outcome).isEqualTo("unfinished"));
        Set<String> missing = new HashSet<>(seen);
        missing.removeAll(recorded.keySet());
        assertThat(missing).as(all).allSatisfy(call -> assertThat(durableAtKill).containsKey(testerOf(call)));
        durableAtKill.values().forEach(durable -> assertThat(missing).as(all).noneMatch(durable::contains));
        assertThat(recorded.values()).as(all).allMatch(outcome -> outcome.equals("ok") || outcome.equals("unfinished"));
        long unfinished =
                recorded.values().stream().filter("unfinished"::equals).count();
        assertThat(unfinished).as(all).isLessThanOrEqualTo(CLIENTS);
        RunFolder folder = new RunFolder(run);
        assertThat(folder.calls("total")).as(all).isEqualTo(recorded.size() - unfinished);
        assertThat(folder.calls("ok")).as(all).isEqualTo(recorded.size() - unfinished);
        assertThat(folder.calls("unfinished")).as(all).isEqualTo(unfinished);
        String warnings = folder.summary().get("warnings").toString();
        for (int tester : durableAtKill.keySet()) {
            lossIsNamed(tester, recorded.keySet(), warnings, all);
        }
    }

    /** Looks for the tester that was killed, and for the number of its calls that are missing as far as anybody heard it. */
    private void lossIsNamed(int tester, Set<String> recorded, String warnings, String all) throws IOException {
        assertThat(warnings)
                .as(all)
                .containsAnyOf("tester " + tester + " was lost", "did not report that they had finished: tester-" + tester + ",");
        long sent = record().get("testers").get(tester - 1).get("sent").asLong();
        long kept = recorded.stream().filter(call -> testerOf(call) == tester).count();
        assertThat(sent).as(all).isLessThanOrEqualTo(callsOf(tester) + CLIENTS);
        if (sent > kept) {
            assertThat(warnings)
                    .as(all)
                    .contains("tester " + tester + " says it sent " + sent + " calls, but the samples contain " + kept);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        all.forEach(Command::close);
        for (Command each : all) {
            each.process().waitFor();
        }
        direct.close();
        uplink.close();
        behind.close();
        if (small != null) {
            small.close();
        }
    }
}
