package org.diperf.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.diperf.core.plan.OpenLoad.Arrivals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class RatesTests {

    private static final long SECOND = 1_000_000_000;

    private static OpenLoad load(double from, double to, long rampNanos, long forNanos) {
        return new OpenLoad(from, to, Arrivals.CONSTANT, rampNanos, forNanos, 100, OnFailure.CONTINUE, SECOND);
    }

    /** Sums the rate up to an instant by the midpoints of a million slices: not by the formula that is tested. */
    private static double integral(OpenLoad load, double nanos) {
        int slices = 1_000_000;
        double width = nanos / slices;
        double sum = 0;
        for (int i = 0; i < slices; i++) {
            double at = (i + 0.5) * width;
            double part = load.rampNanos() == 0 ? 1 : Math.min(1, at / load.rampNanos());
            sum += load.fromPerSecond() + part * (load.perSecond() - load.fromPerSecond());
        }
        return sum * width / SECOND;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 42, 20061126})
    void theInstantOfAnArrivalIsWhereTheIntegralOfTheRateReachesIt(long seed) {
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 12; i++) {
            double from = random.nextInt(3) == 0 ? 0 : Math.pow(10, 5 * random.nextDouble());
            double to = random.nextInt(3) == 0 ? 0 : Math.pow(10, 5 * random.nextDouble());
            if (from + to == 0) {
                continue;
            }
            long ramp = 1 + (long) (random.nextDouble() * 60 * SECOND);
            OpenLoad load = load(from, to, ramp, random.nextInt(2) * 10 * SECOND);
            double arrivals = random.nextDouble() * 0.999 * load.expectedArrivals();

            double instant = load.instantNanos(arrivals);

            assertThat(instant).as("%s", load).isBetween(0.0, (double) load.lengthNanos());
            assertThat(integral(load, instant)).as("%s", load).isCloseTo(arrivals, within(1e-6 * arrivals + 1e-6));
        }
    }

    @Test
    void instantsNeverFallAndKeepWithinTheStage() {
        Random random = new Random(7);
        for (int i = 0; i < 100; i++) {
            OpenLoad load = load(
                    random.nextInt(2) * random.nextInt(1000),
                    1 + random.nextInt(1000),
                    random.nextInt(2) * (1 + random.nextInt(1_000_000_000)),
                    1 + random.nextInt(1_000_000_000));
            ArrivalStream stream = load.arrivals(42, 0, 1, 1);
            long last = 0;
            for (long at = stream.next(); at != ArrivalStream.END; at = stream.next()) {
                assertThat(at).as("%s", load).isBetween(last, load.lengthNanos() - 1);
                last = at;
            }
            assertThat((double) stream.drawn() - 1).as("%s", load).isCloseTo(load.expectedArrivals(), within(1.0));
        }
    }

    @Test
    void aRateThatFallsToZeroGivesItsLastArrivalBeforeTheEnd() {
        // 10/s falling to 0 over 2 s: 10 t - 2.5 t^2, ten arrivals, the last of which never comes.
        OpenLoad load = load(10, 0, 2 * SECOND, 0);
        assertThat(load.expectedArrivals()).isEqualTo(10);
        assertThat(load.instantNanos(0)).isZero();
        assertThat(load.instantNanos(7.5)).isCloseTo(1e9, within(1.0));
        assertThat(load.instantNanos(9.9)).isCloseTo(1.8e9, within(1.0));
        assertThat(load.instantNanos(10.1)).isInfinite();
    }

    @Test
    void aRampOfClientsIsSharedOutEvenly() {
        // 0 to 4 over 8 s: one every 2 s, the first at once; all continue into what follows.
        ClientLifetimes up = new ClientLifetimes.Ramp(0, 4, 8);
        assertThat(up.startNanos(0)).isZero();
        assertThat(up.startNanos(1)).isEqualTo(2);
        assertThat(up.startNanos(3)).isEqualTo(6);
        assertThat(up.endNanos(0)).isEqualTo(8);
        assertThat(up.endNanos(3)).isEqualTo(8);
        // 4 to 0: the highest number ends first, number 0 at the end.
        ClientLifetimes down = new ClientLifetimes.Ramp(4, 0, 8);
        assertThat(down.startNanos(3)).isZero();
        assertThat(down.endNanos(3)).isEqualTo(2);
        assertThat(down.endNanos(2)).isEqualTo(4);
        assertThat(down.endNanos(0)).isEqualTo(8);
        // 2 to 5 over 9 s: numbers 0 and 1 run already.
        ClientLifetimes more = new ClientLifetimes.Ramp(2, 5, 9);
        assertThat(more.startNanos(1)).isZero();
        assertThat(more.startNanos(2)).isZero();
        assertThat(more.startNanos(3)).isEqualTo(3);
        assertThat(more.startNanos(4)).isEqualTo(6);
        // As many as before.
        ClientLifetimes level = new ClientLifetimes.Ramp(3, 3, 9);
        assertThat(level.startNanos(2)).isZero();
        assertThat(level.endNanos(2)).isEqualTo(9);
        assertThat(level.lengthNanos(3)).isEqualTo(9);
    }

    @Test
    void asManyClientsAreActiveAsTheRampSays() {
        Random random = new Random(11);
        for (int i = 0; i < 200; i++) {
            int from = random.nextInt(50);
            int to = random.nextInt(50);
            ClientLifetimes ramp = new ClientLifetimes.Ramp(from, to, SECOND);
            long at = random.nextInt((int) SECOND);
            int active = 0;
            for (int client = 0; client < Math.max(from, to); client++) {
                active += ramp.startNanos(client) <= at && at < ramp.endNanos(client) ? 1 : 0;
            }
            double wanted = from + (double) (to - from) * at / SECOND;
            assertThat((double) active).as("%d to %d at %d ns", from, to, at).isCloseTo(wanted, within(1.0001));
        }
    }
}
