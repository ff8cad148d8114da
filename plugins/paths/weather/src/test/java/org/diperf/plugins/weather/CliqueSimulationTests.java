package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cliques whose members are killed, started anew, paused and cut off, with messages that are lost, on clocks that the test owns. */
@Timeout(120)
class CliqueSimulationTests {

    private static final double PERIOD = 10;
    private static final long SECOND = 1_000_000_000L;

    /** A probe, in true seconds. */
    private record Probed(int by, double from, double to) {}

    /** All members, and the true time. */
    private static final class World {

        private final Random random;
        private final int n;
        private final CliqueMember[] members;
        private final double[] rate;
        private final double[] busyUntil;
        private final boolean[] alive;
        private final int[] side;
        private final List<Probed> probes = new ArrayList<>();
        private final List<Boolean> firsts = new ArrayList<>();
        private final Clique clique;
        private double lost;
        private double now = 1000;

        World(int n, long seed, double drift) {
            random = new Random(seed);
            this.n = n;
            List<String> names = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                names.add("10.0.0." + (i + 1) + ":8060");
            }
            clique = new Clique(
                    "wan", 1, names, Duration.ofSeconds((long) PERIOD), new NetProbe.Settings(65536, 32768, 16384));
            members = new CliqueMember[n];
            rate = new double[n];
            busyUntil = new double[n];
            alive = new boolean[n];
            side = new int[n];
            for (int i = 0; i < n; i++) {
                rate[i] = 1 + drift * (2 * random.nextDouble() - 1);
            }
            for (int i = 0; i < n; i++) {
                start(i, i == 0);
            }
        }

        private long clock(int i) {
            return (long) (now * rate[i] * SECOND);
        }

        private void start(int i, boolean begins) {
            alive[i] = true;
            // What is started for the first time was there before the clique.
            long started = now > 1000 ? clock(i) : clock(i) - 100 * SECOND;
            members[i] = new CliqueMember(clique, i, new Wires(i), () -> clock(i), started, started, begins);
            busyUntil[i] = now;
        }

        private boolean hears(int from, int to) {
            return alive[to] && side[from] == side[to] && random.nextDouble() >= lost;
        }

        private final class Wires implements CliqueMember.Peers {

            private final int me;

            Wires(int me) {
                this.me = me;
            }

            private void takes(double seconds) {
                busyUntil[me] = Math.max(busyUntil[me], now) + seconds;
            }

            @Override
            public long[] ask(Clique of, int candidate, long round, boolean first, Duration lasts) {
                firsts.add(first);
                long[] answers = new long[n];
                for (int i = 0; i < n; i++) {
                    answers[i] = -1;
                    if (i != me && hears(me, i)) {
                        long answer = members[i].ask(candidate, round, first, lasts.toNanos());
                        answers[i] = hears(i, me) ? answer : -1;
                    }
                }
                takes(0.05);
                return answers;
            }

            @Override
            public void release(Clique of, int candidate, long round) {
                for (int i = 0; i < n; i++) {
                    if (i != me && hears(me, i)) {
                        members[i].release(candidate, round);
                    }
                }
            }

            @Override
            public CliqueMember.Passed pass(Clique of, int to, CliqueMember.Token token) {
                if (!hears(me, to)) {
                    return CliqueMember.Passed.REFUSED;
                }
                long ready = clock(to);
                long left = token.deadlineNanos() - clock(me);
                if (random.nextDouble() < lost) {
                    return CliqueMember.Passed.UNKNOWN;
                }
                boolean taken = members[to].take(
                        token.leader(),
                        token.round(),
                        (BitSet) token.live().clone(),
                        (BitSet) token.visited().clone(),
                        ready,
                        left);
                busyUntil[to] = Math.max(busyUntil[to], now + 0.05);
                if (random.nextDouble() < lost) {
                    return CliqueMember.Passed.UNKNOWN;
                }
                return taken ? CliqueMember.Passed.TAKEN : CliqueMember.Passed.REFUSED;
            }

            @Override
            public long probe(Clique of, int target, CliqueMember.Token token, Duration within) {
                double most = within.toNanos() / 1e9 / rate[me];
                double takes = hears(me, target) ? 0.02 + 0.2 * random.nextDouble() : most;
                boolean ok = takes < most;
                double lasts = Math.min(takes, most);
                probes.add(new Probed(me, now, now + lasts));
                takes(lasts);
                return ok ? (long) (lasts * SECOND) : -1;
            }
        }

        /** Goes on until a time; what a member does takes it that long, and the others go on meanwhile. */
        void until(double end) {
            while (true) {
                int next = -1;
                double at = Double.MAX_VALUE;
                for (int i = 0; i < n; i++) {
                    if (alive[i]) {
                        double due = Math.max(members[i].nextNanos() / rate[i] / SECOND, busyUntil[i]);
                        if (due < at) {
                            at = due;
                            next = i;
                        }
                    }
                }
                if (at >= end) {
                    now = end;
                    return;
                }
                // A nanosecond more: the times above are rounded.
                now = Math.max(now, at + 2e-9);
                members[next].step();
            }
        }

        void kill(int i) {
            alive[i] = false;
            for (int p = 0; p < probes.size(); p++) {
                Probed each = probes.get(p);
                if (each.by() == i && each.to() > now) {
                    probes.set(p, new Probed(i, each.from(), now));
                }
            }
        }

        /** Returns who probes now, or did last. */
        int holder() {
            return probes.get(probes.size() - 1).by();
        }

        double firstAfter(double time) {
            return probes.stream()
                    .filter(each -> each.from() > time)
                    .mapToDouble(Probed::from)
                    .min()
                    .orElse(Double.MAX_VALUE);
        }

        void assertNeverTwoAtOnce() {
            List<Probed> sorted = new ArrayList<>(probes);
            sorted.sort(Comparator.comparingDouble(Probed::from));
            for (int i = 1; i < sorted.size(); i++) {
                assertThat(sorted.get(i).from())
                        .as("%s after %s", sorted.get(i), sorted.get(i - 1))
                        .isGreaterThanOrEqualTo(sorted.get(i - 1).to() - 1e-6);
            }
        }
    }

    @Test
    void inARoundEachProbesEachOtherOnce() {
        World world = new World(8, 1, 0);
        world.until(1000 + PERIOD);
        assertThat(world.probes).hasSize(56);
        for (int i = 0; i < 8; i++) {
            int by = i;
            assertThat(world.probes.stream().filter(each -> each.by() == by)).hasSize(7);
        }
        world.until(1000 + 10 * PERIOD);
        assertThat(world.probes).hasSize(560);
        // Later ones have to wait for members that may have promised another, and were started anew.
        assertThat(world.firsts).startsWith(true, false, false).containsOnlyOnce(true);
        world.assertNeverTwoAtOnce();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 8, 16})
    void aHolderThatIsKilledIsFollowedWithinTwoPeriods(int n) {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        double longest = 0;
        for (int i = 0; i < 60; i++) {
            World world = new World(n, random.nextLong(), 0.002);
            world.until(1000 + PERIOD * (1 + 3 * random.nextDouble()));
            double killed = world.now;
            int holder = world.holder();
            world.kill(holder);
            world.until(killed + 5 * PERIOD);
            longest = Math.max(longest, world.firstAfter(killed) - killed);
            world.assertNeverTwoAtOnce();
            assertThat(world.probes.get(world.probes.size() - 1).by()).isNotEqualTo(holder);
        }
        System.out.printf("%d members: at most %.2f periods%n", n, longest / PERIOD);
        assertThat(longest).isLessThan(2 * PERIOD);
    }

    @Test
    void whoeverLeadsAndIsKilledIsFollowedWithinTwoPeriods() {
        for (int at = 0; at < 50; at++) {
            World world = new World(8, at, 0.002);
            world.until(1000 + PERIOD * (2 + at / 50.0));
            double killed = world.now;
            world.kill(0);
            world.until(killed + 5 * PERIOD);
            assertThat(world.firstAfter(killed) - killed).isLessThan(2 * PERIOD);
            assertThat(world.probes.stream().filter(each -> each.from() > killed + 2 * PERIOD))
                    .hasSizeGreaterThan(80);
            world.assertNeverTwoAtOnce();
        }
    }

    @Test
    void whoComesBackProbesAgain() {
        World world = new World(5, 3, 0.002);
        world.until(1025);
        world.kill(2);
        world.until(1040);
        world.start(2, false);
        world.until(1000 + 12 * PERIOD);
        assertThat(world.probes.stream().filter(each -> each.by() == 2 && each.from() > 1060))
                .isNotEmpty();
        world.assertNeverTwoAtOnce();
    }

    @Test
    void halfOfAllAndLessProbeNothing() {
        World world = new World(8, 4, 0);
        world.until(1025);
        for (int i = 0; i < 8; i++) {
            world.side[i] = i % 2;
        }
        world.until(1025 + 10 * PERIOD);
        assertThat(world.firstAfter(1025 + 2 * PERIOD)).isEqualTo(Double.MAX_VALUE);
        world.assertNeverTwoAtOnce();
        for (int i = 0; i < 8; i++) {
            world.side[i] = 0;
        }
        world.until(1025 + 20 * PERIOD);
        assertThat(world.firstAfter(1025 + 10 * PERIOD)).isLessThan(1025 + 13 * PERIOD);
        world.assertNeverTwoAtOnce();
    }

    @Test
    void whateverHappensNeverTwoProbeAtOnce() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int run = 0; run < 60; run++) {
            int n = 2 + random.nextInt(8);
            World world = new World(n, random.nextLong(), 0.004);
            world.lost = 0.3 * random.nextDouble();
            for (int event = 0; event < 60; event++) {
                world.until(world.now + PERIOD * random.nextDouble());
                int one = random.nextInt(n);
                switch (random.nextInt(6)) {
                    case 0 -> world.kill(one);
                    case 1, 2 -> {
                        if (!world.alive[one]) {
                            world.start(one, false);
                        }
                    }
                    case 3 -> world.side[one] = 1 - world.side[one];
                    case 4 ->
                        world.busyUntil[one] =
                                Math.max(world.busyUntil[one], world.now + 3 * PERIOD * random.nextDouble());
                    default -> {
                        if (world.alive[world.holder()]) {
                            world.kill(world.holder());
                        }
                    }
                }
            }
            world.assertNeverTwoAtOnce();
            // Once all is well again, they go on.
            world.lost = 0;
            for (int i = 0; i < n; i++) {
                world.side[i] = 0;
                if (!world.alive[i]) {
                    world.start(i, false);
                }
            }
            double well = world.now;
            world.until(well + 12 * PERIOD);
            assertThat(world.firstAfter(well + 8 * PERIOD)).as("run %d", run).isLessThan(well + 12 * PERIOD);
            world.assertNeverTwoAtOnce();
        }
    }
}
