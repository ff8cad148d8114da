package org.diperf.core.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The prober and the path are simulated; its own clock is the client's. */
@Timeout(60)
final class ProbeScheduleTests {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long SEED = 20261121;

    private final SplittableRandom random = new SplittableRandom(SEED);

    /** Sends until the end and answers; gives the instants of sending. */
    private List<Long> drive(
            ProbeSchedule schedule, long from, long to, LongUnaryOperator offset, LongToDoubleFunction oneWay) {
        List<Long> sent = new ArrayList<>();
        for (long now = schedule.nextNanos(from); now <= to; now = Math.max(now, schedule.nextNanos(now))) {
            schedule.sent(now);
            sent.add(now);
            long up = Math.round(oneWay.applyAsDouble(now) * (1 - 0.1 * Math.log1p(-random.nextDouble())));
            long down = Math.round(oneWay.applyAsDouble(now) * (1 - 0.1 * Math.log1p(-random.nextDouble())));
            long server = now + up + offset.applyAsLong(now);
            schedule.answered(new Exchange(server, now + up + down, now, server), now + up + down);
        }
        return sent;
    }

    @Test
    void aBurstHasEightProbesAboutTwentyMillisecondsApart() {
        List<Long> sent = drive(ProbeSchedule.adaptive(SEED), 0, SECOND, at -> 0, at -> 7_000);
        assertThat(sent).hasSize(8).first().isEqualTo(0L);
        for (int i = 1; i < 8; i++) {
            assertThat(sent.get(i) - sent.get(i - 1)).isBetween(15 * MILLI, 25 * MILLI);
        }
    }

    @Test
    void askingDoesNotMoveTheScheduleOn() {
        ProbeSchedule schedule = ProbeSchedule.adaptive(SEED);
        assertThat(schedule.nextNanos(17)).isEqualTo(17);
        assertThat(schedule.nextNanos(19)).isEqualTo(19);
        schedule.sent(20);
        assertThat(schedule.nextNanos(20)).isEqualTo(schedule.nextNanos(999)).isGreaterThan(20 + 14 * MILLI);
    }

    @Test
    void aFixedPeriodIsKeptWhateverTheClockDoes() {
        ProbeSchedule schedule = ProbeSchedule.every(60 * SECOND, SEED);
        List<Long> sent = drive(schedule, 0, 599 * SECOND, at -> at > 300 * SECOND ? SECOND : 0, at -> 40 * MILLI);
        assertThat(sent).hasSize(80);
        for (int i = 8; i < 80; i += 8) {
            assertThat(sent.get(i) - sent.get(i - 8)).isBetween(59_900 * MILLI, 60_100 * MILLI);
        }
    }

    @Test
    void aPeriodOfNothingIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ProbeSchedule.every(0, SEED));
    }

    @Test
    void onALocalPathTheClockIsProbedEveryTwoSecondsAndLaterEveryFive() {
        ProbeSchedule schedule = ProbeSchedule.adaptive(SEED);
        List<Long> sent = drive(schedule, 0, 300 * SECOND, at -> at / 20_000, at -> 7_000);
        assertThat(sent.get(88) - sent.get(80)).isBetween(1_800 * MILLI, 2_200 * MILLI);
        assertThat(schedule.periodNanos()).isEqualTo(5 * SECOND);
    }

    /** Ways of 40 ms that scatter by some 5 ms: a thousandth of that takes a thousand probes, 125 bursts. */
    @Test
    void onALongPathThePeriodStaysShortUntilScatterIsProbedOutAndThenGrowsByHalfEachToThirtySeconds() {
        ProbeSchedule schedule = ProbeSchedule.adaptive(SEED);
        List<Long> sent = drive(schedule, 0, 900 * SECOND, at -> at / 20_000, at -> 40 * MILLI);
        assertThat(sent.get(488) - sent.get(480)).isBetween(1_800 * MILLI, 2_200 * MILLI);
        assertThat(schedule.periodNanos()).isEqualTo(30 * SECOND);
    }

    @Test
    void aStepHalvesThePeriod() {
        ProbeSchedule schedule = ProbeSchedule.adaptive(SEED);
        drive(schedule, 0, 300 * SECOND, at -> at / 20_000, at -> 40 * MILLI);
        LongUnaryOperator stepped = at -> at / 20_000 + SECOND;
        drive(schedule, 300 * SECOND, 331 * SECOND, stepped, at -> 40 * MILLI);
        drive(schedule, 331 * SECOND, schedule.nextNanos(0), stepped, at -> 40 * MILLI);
        assertThat(schedule.periodNanos()).isLessThan(30 * SECOND);
    }

    @Test
    void anotherLevelOfTheRoundTripHalvesThePeriod() {
        ProbeSchedule schedule = ProbeSchedule.adaptive(SEED);
        drive(schedule, 0, 900 * SECOND, at -> 0, at -> 40 * MILLI);
        assertThat(schedule.periodNanos()).isEqualTo(30 * SECOND);
        List<Long> later = drive(schedule, 900 * SECOND, 965 * SECOND, at -> 0, at -> 60 * MILLI);
        assertThat(later.get(16) - later.get(8)).isLessThan(29 * SECOND);
    }

    @Test
    void aBurstIsDueAtOnceWhereItIsAskedFor() {
        ProbeSchedule schedule = ProbeSchedule.adaptive(SEED);
        drive(schedule, 0, SECOND, at -> 0, at -> 7_000);
        schedule.burstNow(SECOND);
        assertThat(drive(schedule, SECOND, 2 * SECOND, at -> 0, at -> 7_000))
                .hasSize(8)
                .first()
                .isEqualTo(SECOND);
    }

    private static void assertApart(List<Long> sent, long least, long most) {
        assertThat(sent).hasSize(8);
        for (int i = 1; i < 8; i++) {
            assertThat(sent.get(i) - sent.get(i - 1)).isBetween(least, most);
        }
    }

    /** The first burst has not been judged yet when the second is wanted, as where a tester is ready soon. */
    @Test
    void whoWaitsForABurstWaitsLessWhereTheServerIsNear() {
        ProbeSchedule near = ProbeSchedule.adaptive(SEED);
        drive(near, 0, SECOND, at -> 0, at -> 20_000);
        near.burstNow(SECOND);
        assertApart(drive(near, SECOND, 2 * SECOND, at -> 0, at -> 20_000), 3 * MILLI, 5 * MILLI);
        // Nobody waits for those that follow.
        assertApart(drive(near, 2 * SECOND, 4 * SECOND, at -> 0, at -> 20_000), 15 * MILLI, 25 * MILLI);

        ProbeSchedule far = ProbeSchedule.adaptive(SEED);
        drive(far, 0, SECOND, at -> 0, at -> 20 * MILLI);
        far.burstNow(SECOND);
        assertApart(drive(far, SECOND, 2 * SECOND, at -> 0, at -> 20 * MILLI), 15 * MILLI, 25 * MILLI);

        ProbeSchedule unanswered = ProbeSchedule.adaptive(SEED);
        unanswered.burstNow(0);
        unanswered.sent(0);
        assertThat(unanswered.nextNanos(0)).isBetween(15 * MILLI, 25 * MILLI);
    }

    @Test
    void probesThatWereLateAreNotMadeUpFor() {
        ProbeSchedule schedule = ProbeSchedule.adaptive(SEED);
        schedule.sent(0);
        schedule.sent(100 * SECOND);
        assertThat(schedule.nextNanos(100 * SECOND)).isGreaterThan(100 * SECOND + 14 * MILLI);
    }

    @Test
    void unansweredBurstsLeaveThePeriodAlone() {
        ProbeSchedule schedule = ProbeSchedule.adaptive(SEED);
        for (int i = 0; i < 80; i++) {
            schedule.sent(schedule.nextNanos(0));
        }
        assertThat(schedule.periodNanos()).isEqualTo(2 * SECOND);
    }
}
