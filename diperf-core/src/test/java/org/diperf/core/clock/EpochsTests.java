package org.diperf.core.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clocks: the controller's is global time; servers, and the tester, have clocks of their own. */
@Timeout(60)
final class EpochsTests {

    private static final long MICRO = 1_000;
    private static final long SECOND = 1_000_000_000;
    private static final long SEED = 4;
    private static final long OWN = 7;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Epochs epochs = new Epochs();

    private static long tester(long global) {
        return global + global / 20_000 + 55 * SECOND;
    }

    private static long server(long epoch, long global) {
        return global - global / 30_000 + epoch * 1_000 * SECOND;
    }

    private long way() {
        return 60 * MICRO + random.nextLong(30 * MICRO);
    }

    /** The client asks a server. */
    private void probe(int client, long epoch, long global) {
        long there = global + way();
        long answered = there + 10 * MICRO;
        long back = answered + way();
        boolean isTester = client != Epochs.CONTROLLER;
        epochs.add(
                client,
                epoch,
                new Exchange(
                        epoch == OWN ? answered : server(epoch, answered),
                        isTester ? tester(back) : back,
                        isTester ? tester(global) : global,
                        epoch == OWN ? there : server(epoch, there)),
                Source.UDP,
                0);
    }

    private void assertExact(long boundNanos) {
        Corridor corridor = Corridor.of(epochs.of(1)).orElseThrow();
        for (long at = SECOND; at < 60 * SECOND; at += SECOND / 3) {
            long error = Math.abs(corridor.globalNanos(tester(at)) - at);
            assertThat(error).isLessThan(60 * MICRO).isLessThanOrEqualTo(corridor.boundNanos(tester(at)));
            assertThat(corridor.boundNanos(tester(at))).isLessThan(boundNanos);
        }
    }

    private void frame(long global) {
        long received = global + way();
        long sent = received + 100 * MICRO;
        epochs.add(1, OWN, new Exchange(global, tester(received), tester(sent), sent + way()), Source.FRAME, 0);
    }

    @Test
    void probesOfTheControllersOwnClockAndFramesGoTogether() {
        for (long at = 0; at <= 60 * SECOND; at += SECOND) {
            probe(1, OWN, at);
            frame(at + SECOND / 2);
        }
        assertThat(epochs.of(1).added()).isEqualTo(122);
        assertExact(150 * MICRO);
    }

    @Test
    void anotherClockThatTheControllerAsksTooIsCarriedOver() {
        frame(0);
        for (long at = 0; at <= 60 * SECOND; at += SECOND) {
            probe(1, 3, at);
            probe(Epochs.CONTROLLER, 3, at + SECOND / 3);
        }
        assertExact(300 * MICRO);
        assertThat(epochs.unusable()).isZero();
    }

    @Test
    void anotherClockThatTheControllerDoesNotAskIsLeftOutAndCounted() {
        for (long at = 0; at <= 60 * SECOND; at += SECOND) {
            frame(at);
            probe(1, 3, at + SECOND / 3);
        }
        assertThat(epochs.unusable()).isEqualTo(61);
        assertThat(epochs.of(1).added()).isEqualTo(61);
        assertExact(150 * MICRO);
    }

    @Test
    void aServerThatWasStartedAnewIsAnotherClockAndNamed() {
        frame(0);
        for (long at = 0; at <= 60 * SECOND; at += SECOND) {
            long epoch = at < 31 * SECOND ? 3 : 4;
            probe(1, epoch, at);
            probe(Epochs.CONTROLLER, epoch, at + SECOND / 3);
        }
        assertExact(300 * MICRO);
        Corridor corridor = Corridor.of(epochs.of(1)).orElseThrow();
        assertThat(corridor.steps()).isZero();
        assertThat(corridor.events()).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(ClockEvent.Kind.SERVER_RESTART);
            assertThat(event.fromNanos()).isEqualTo(tester(30 * SECOND));
            assertThat(event.toNanos()).isEqualTo(tester(31 * SECOND));
        });
    }

    @Test
    void aClientThatWasNeverHeardOfHasNoExchanges() {
        assertThat(epochs.of(5).added()).isZero();
    }
}
