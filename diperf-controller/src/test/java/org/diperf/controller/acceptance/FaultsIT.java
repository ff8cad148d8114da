package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Things fail at random instants of runs of real processes: controllers, relays and testers are killed, ways are cut, disks are
 * full, files cannot be forced, the power of the controller's machine is cut. Runs are resumed at random times. No call that
 * was acknowledged is lost, none is there twice, and the report names what is missing.
 */
class FaultsIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final int EACH_ROUND = LONG ? 40 : 24;
    private static final int MANY = Integer.getInteger("diperf.instants", 1_000);

    /** A round takes one or two on a calm machine. */
    private static final int MAX_MINUTES = 10;

    @TempDir
    Path work;

    private enum Kind {
        KILL_CONTROLLER,
        KILL_RELAY,
        KILL_TESTER,
        CUT,
        FULL_DISK,
        FAILED_SYNC,
        POWER_CUT
    }

    /** What happens in a round while there is load, and when the runs whose load is over are resumed. */
    private static final Map<Kind, Integer> UNDER_LOAD = LONG
            ? Map.of(Kind.KILL_CONTROLLER, 6, Kind.KILL_RELAY, 6, Kind.CUT, 9, Kind.POWER_CUT, 3)
            : Map.of(Kind.KILL_CONTROLLER, 3, Kind.KILL_RELAY, 3, Kind.CUT, 3, Kind.POWER_CUT, 3);

    private static final int TESTERS_KILLED = 3;
    private static final Map<Kind, Integer> COMING_HOME = LONG
            ? Map.of(Kind.KILL_CONTROLLER, 2, Kind.FAILED_SYNC, 3, Kind.FULL_DISK, 2, Kind.POWER_CUT, 2)
            : Map.of(Kind.KILL_CONTROLLER, 1, Kind.FAILED_SYNC, 1, Kind.FULL_DISK, 1, Kind.POWER_CUT, 2);

    /** What ends the load of a run; a round has one of each, side by side. */
    private enum End {
        FAILED_SYNC(120, 600),
        FULL_DISK(120, 600),
        /** The controller is gone until both testers have given up. */
        BEYOND_LINGER(30, 15),
        /** One of the testers is out of reach for longer than the lease; then comes Ctrl-C. */
        BEYOND_LEASE(45, 600);

        final int leaseSeconds;
        final int lingerSeconds;

        End(int leaseSeconds, int lingerSeconds) {
            this.leaseSeconds = leaseSeconds;
            this.lingerSeconds = lingerSeconds;
        }
    }

    /** What happens in a run. */
    private record Instants(List<Kind> underLoad, End end, List<Kind> comingHome) {

        int count() {
            return underLoad.size() + 1 + comingHome.size();
        }
    }

    @Test
    @Timeout(value = MAX_MINUTES, unit = TimeUnit.MINUTES)
    void instantsOfEveryKind() throws Exception {
        rounds(Long.getLong("diperf.seed", 7), EACH_ROUND);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    @Timeout(value = 120, unit = TimeUnit.MINUTES)
    void manyInstants() throws Exception {
        rounds(Long.getLong("diperf.seed", System.nanoTime()), MANY);
    }

    private void rounds(long seed, int instants) throws Exception {
        Set<Kind> kinds = EnumSet.allOf(Kind.class);
        Path library = null;
        if (Command.installed("cc")) {
            library = FailingDisk.library(work);
        } else {
            leaveOut(kinds, EnumSet.of(Kind.FAILED_SYNC, Kind.POWER_CUT), "cc is not installed: apt-get install gcc");
        }
        if (!SmallDisk.canBeMounted()) {
            leaveOut(kinds, EnumSet.of(Kind.FULL_DISK), "needs root to mount a small disk");
        }
        for (int round = 0; round * EACH_ROUND < instants; round++) {
            System.out.println("FaultsIT: instants " + round * EACH_ROUND + " to " + ((round + 1) * EACH_ROUND - 1)
                    + ", repeated by -Ddiperf.seed=" + (seed + round));
            round(seed + round, kinds, library);
        }
    }

    private static void leaveOut(Set<Kind> kinds, Set<Kind> without, String why) {
        System.out.println("FaultsIT: left out: " + without + ": " + why);
        kinds.removeAll(without);
    }

    /** Has four runs side by side, each with a service of its own. */
    private void round(long seed, Set<Kind> kinds, @Nullable Path library) throws Exception {
        List<Instants> dealt = deal(kinds, new Random(seed));
        if (kinds.size() == Kind.values().length) {
            assertThat(dealt.stream().mapToInt(Instants::count).sum()).isEqualTo(EACH_ROUND);
        }
        ExecutorService threads = Executors.newFixedThreadPool(dealt.size());
        List<Future<Long>> running = new ArrayList<>();
        for (Instants instants : dealt) {
            running.add(threads.submit(() -> carryOut(instants, library, kinds.contains(Kind.FULL_DISK), seed)));
        }
        threads.shutdown();
        // Also when one has failed, the others come to their end, with what they have mounted.
        if (!threads.awaitTermination(MAX_MINUTES, TimeUnit.MINUTES)) {
            threads.shutdownNow();
        }
        long lostInPowerCuts = 0;
        for (Future<Long> each : running) {
            lostInPowerCuts += each.get(0, TimeUnit.SECONDS);
        }
        if (kinds.contains(Kind.POWER_CUT)) {
            assertThat(lostInPowerCuts)
                    .as("power cuts that took something away")
                    .isPositive();
        }
    }

    /** Deals the instants of a round out to its runs. */
    private static List<Instants> deal(Set<Kind> kinds, Random random) {
        Deque<Kind> underLoad = shuffled(UNDER_LOAD, kinds, random);
        Deque<Kind> comingHome = shuffled(COMING_HOME, kinds, random);
        List<Instants> dealt = new ArrayList<>();
        for (End end : End.values()) {
            int left = End.values().length - end.ordinal();
            List<Kind> own = take(underLoad, underLoad.size() / left);
            if (end.ordinal() < TESTERS_KILLED) {
                own.add(own.size() / 2 + random.nextInt(own.size() / 2 + 1), Kind.KILL_TESTER);
            }
            // When the last one is ended in order, nothing comes home.
            dealt.add(new Instants(own, end, left == 1 ? List.of() : take(comingHome, comingHome.size() / (left - 1))));
        }
        return dealt;
    }

    private static Deque<Kind> shuffled(Map<Kind, Integer> times, Set<Kind> kinds, Random random) {
        List<Kind> all = new ArrayList<>();
        kinds.forEach(kind -> all.addAll(Collections.nCopies(times.getOrDefault(kind, 0), kind)));
        Collections.shuffle(all, random);
        return new ArrayDeque<>(all);
    }

    private static List<Kind> take(Deque<Kind> deck, int count) {
        List<Kind> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(deck.pop());
        }
        return taken;
    }

    private long carryOut(Instants instants, @Nullable Path library, boolean mounts, long seed) throws Exception {
        End end = instants.end;
        Random random = new Random(seed * End.values().length + end.ordinal());
        Path folder = work.resolve("run-" + seed + "-" + end);
        try (CallLog target = CallLog.onLoopback();
                FaultyRun run = new FaultyRun(
                        target,
                        folder,
                        library,
                        mounts,
                        end.leaseSeconds,
                        end.lingerSeconds,
                        random,
                        "seed " + seed + ", " + instants)) {
            run.start();
            for (Kind kind : instants.underLoad) {
                run.awaitInstant();
                underLoad(run, kind);
                run.resumeIfGone();
            }
            run.awaitMeasured();
            endLoad(run, end, library != null, mounts);
            for (Kind kind : instants.comingHome) {
                comeHome(run, kind);
            }
            run.awaitEnd();
            run.check();
            return run.lostInPowerCuts();
        }
    }

    private static void underLoad(FaultyRun run, Kind kind) throws Exception {
        switch (kind) {
            case KILL_CONTROLLER -> run.killController();
            case KILL_RELAY -> run.killRelay();
            case KILL_TESTER -> run.killTester();
            case CUT -> run.cut();
            case POWER_CUT -> run.cutPower();
            default -> throw new IllegalStateException(kind + " ends the load");
        }
    }

    private static void endLoad(FaultyRun run, End end, boolean fails, boolean fills) throws Exception {
        switch (end) {
            case FAILED_SYNC -> {
                if (fails) {
                    run.failSync();
                }
            }
            case FULL_DISK -> {
                if (fills) {
                    run.fillDisk();
                    run.makeRoom();
                }
            }
            case BEYOND_LINGER -> {
                if (fails) {
                    run.cutPower();
                } else {
                    run.killController();
                }
                run.awaitSpools();
            }
            case BEYOND_LEASE -> run.cutBeyondLease();
        }
    }

    /** Lets something happen to a controller that resumes a run whose load is over. */
    private static void comeHome(FaultyRun run, Kind kind) throws Exception {
        switch (kind) {
            case KILL_CONTROLLER -> run.killControllerThatResumes();
            case FULL_DISK -> run.resumeOnFullDisk();
            case FAILED_SYNC -> run.failSyncOfResuming();
            case POWER_CUT -> run.cutPowerOfResuming();
            default -> throw new IllegalStateException(kind + " needs load");
        }
    }
}
