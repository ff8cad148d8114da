package org.diperf.tester.engine.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import org.diperf.core.sample.CallWriter;
import org.diperf.tester.engine.bounds.ReceiveTimes.Client;
import org.diperf.tester.engine.bounds.ReceiveTimes.Connection;
import org.diperf.tester.machine.SocketArrivals;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReceiveTimesTests {

    private static final long MICRO = 1_000;

    /** By how much the wall clock is ahead; a reading of it is good to half a microsecond. */
    private static final long AHEAD = 1_000_000_000_000L;

    private static final int DESCRIPTOR = 7;

    /** What the kernel takes at most until it stamps, µs. */
    private static final long RECEIVE = ReceiveTimes.RECEIVE_NANOS / MICRO;

    private static final long STAMP = ReceiveTimes.STAMP_NANOS / MICRO;

    private long now = 5_000_000;
    private long ahead = AHEAD;
    private long stamp = SocketArrivals.NONE;
    /** By how much the last segment came after the first. */
    private long spread;

    private long bytes;
    private int outOfOrder;
    private int asked;
    private final Client client = new Client();
    private Connection connection = new Connection(client);
    private ReceiveTimes looks;

    @BeforeEach
    void make() {
        looks = new ReceiveTimes(() -> now, () -> (now + ahead) / 1e9);
        look(0, 0);
    }

    /** Looks now; is told after a time, and is through with what came after another one. */
    private void look(long waitNanos, long workNanos) {
        looks.begin();
        now += waitNanos;
        looks.told(true);
        now += workNanos;
        looks.end(1, true);
    }

    /** Looks now, is told after a time, and finds something on the connection. */
    private void lookAndRead(long waitNanos) {
        looks.begin();
        now += waitNanos;
        looks.told(true);
        read();
    }

    private void read() {
        looks.reads(connection, new Kernel(), DESCRIPTOR);
    }

    private final class Kernel implements SocketArrivals {
        @Override
        public long first(int descriptor) {
            assertThat(descriptor).isEqualTo(DESCRIPTOR);
            asked++;
            return stamp;
        }

        @Override
        public long last(int descriptor) {
            assertThat(descriptor).isEqualTo(DESCRIPTOR);
            return stamp + spread;
        }

        @Override
        public boolean look(int descriptor) {
            return true;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public int outOfOrder() {
            return outOfOrder;
        }
    }

    private void stampedAt(long nanos) {
        stamp = nanos + ahead;
    }

    @Test
    void anAnswerCameAfterTheLookBefore() {
        now += 10 * MICRO;
        lookAndRead(2 * MICRO);
        now += 3 * MICRO;

        assertThat(looks.errorIn(now, client, true)).isEqualTo((15 + RECEIVE) * MICRO);
        assertThat(asked).isZero();
    }

    /** A connection is made, and then the request is sent over it: what was late then is late in the answer. */
    @Test
    void whatCameBeforeTheAnswerMayHaveBeenLateToo() {
        looks.serves(client);
        connection = looks.connection(DESCRIPTOR);
        looks.served();
        now += 10 * MICRO;
        stampedAt(now + 995 * MICRO);
        lookAndRead(1_000 * MICRO);
        now += 3 * MICRO;
        looks.hasRead();
        looks.end(1, true);
        stampedAt(now + 497 * MICRO);
        lookAndRead(500 * MICRO);
        // It was connected by a task of the loop, after 10 µs; the request was made 8 µs after that was there, the
        // answer read after 3.
        assertThat(looks.errorIn(now, client, true)).isBetween((21 + 2 * STAMP) * MICRO, (23 + 2 * STAMP) * MICRO);

        // The next call has nothing of it, nor has what another client's connection is late by.
        looks.serves(client);
        looks.served();
        looks.hasRead();
        looks.end(1, true);
        Connection own = connection;
        looks.serves(new Client());
        connection = looks.connection(DESCRIPTOR + 1);
        looks.served();
        stampedAt(now + 100 * MICRO);
        connection = own;
        lookAndRead(103 * MICRO);
        assertThat(looks.errorIn(now, client, true)).isBetween((3 + STAMP) * MICRO, (4 + STAMP) * MICRO);
    }

    /** A loop that never sleeps may have left a client's work to any of its tasks. */
    @Test
    void whatABusyLoopHasBegunForACallMayBeLateUntilItsEnd() {
        looks.serves(client);
        connection = looks.connection(DESCRIPTOR);
        looks.served();
        now += 300 * MICRO;
        look(MICRO, MICRO);
        now += 300 * MICRO;
        // Handed on within the client.
        connection = looks.connection(DESCRIPTOR);
        stampedAt(now);
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isEqualTo(603 * MICRO);
    }

    /** It had tasks, among them what opens the connection, and did not wait for anything: something else had the processor. */
    @Test
    void aLookThatTakesLongIsNoSleepWhereTheLoopHasTasks() {
        looks.serves(client);
        connection = looks.connection(DESCRIPTOR);
        looks.served();
        looks.begin();
        now += 5_000 * MICRO;
        looks.told(false);
        looks.end(1, true);
        now += 400 * MICRO;
        stampedAt(now);
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isEqualTo(5_401 * MICRO);
    }

    @Test
    void nothingIsKnownOfWhatEndsWhileNothingIsRead() {
        lookAndRead(MICRO);
        looks.hasRead();

        assertThat(looks.errorIn(now, client, true)).isEqualTo(CallWriter.UNKNOWN);
    }

    @Test
    void aLoopThatDoesNotSleepAsksOnlyWhenItMayHaveBeenStopped() {
        stampedAt(now + 400 * MICRO);
        now += 450 * MICRO;
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isEqualTo((451 + RECEIVE) * MICRO);
        assertThat(asked).isZero();

        looks.hasRead();
        looks.end(1, true);
        stampedAt(now + 2_400 * MICRO);
        now += 2_500 * MICRO;
        looks.serves(client);
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isBetween((101 + STAMP) * MICRO, (102 + STAMP) * MICRO);
        assertThat(asked).isEqualTo(1);
    }

    /** What it finds may have waited below its connection a little longer than it should. */
    @Test
    void aLoopThatHasSleptAMomentAgoHasTheTimeToAsk() {
        look(900 * MICRO, 0);
        now += 15 * MICRO;
        stampedAt(now - 40 * MICRO);
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isBetween((41 + STAMP) * MICRO, (42 + STAMP) * MICRO);
        assertThat(asked).isEqualTo(1);
    }

    /** However near each other its looks are: what comes may take longer through the kernel than they are apart. */
    @Test
    void aLoopThatHasSleptAMomentAgoAsksOfWhateverItFinds() {
        look(900 * MICRO, 0);
        look(MICRO, 0);
        stampedAt(now - 60 * MICRO);
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isBetween((61 + STAMP) * MICRO, (62 + STAMP) * MICRO);
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void aLoopThatSpinsHasTheTimeToAskToo() {
        looks.begin();
        now += MICRO;
        looks.told(false);
        looks.end(0, true);
        stampedAt(now - 60 * MICRO);
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isBetween((61 + STAMP) * MICRO, (62 + STAMP) * MICRO);
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void afterALongSleepTheKernelSaysWhenItCame() {
        stampedAt(now + 800 * MICRO);
        lookAndRead(900 * MICRO);
        now += 3 * MICRO;

        // It may have come a little before its stamp, which can be half a microsecond earlier than it says.
        assertThat(looks.errorIn(now, client, true)).isBetween((103 + STAMP) * MICRO, (105 + STAMP) * MICRO);
        assertThat(asked).isEqualTo(1);
    }

    /** Sends now, sleeps, and finds the answer 100 µs after it came; returns when the call ends, after that. */
    private long answered(long sentNanos) {
        stampedAt(now + 800 * MICRO);
        lookAndRead(900 * MICRO);
        now += 3 * MICRO;
        return looks.end(now, sentNanos, client, true) - now;
    }

    @Test
    void aCallEndsWhenItsAnswerWasThereNotWhenTheLoopHadWokenUp() {
        assertThat(answered(now)).isBetween(-103 * MICRO, -102 * MICRO);
        assertThat(looks.errorIn(now - 103 * MICRO, client, true)).isBetween(STAMP * MICRO, (STAMP + 1) * MICRO);
    }

    @Test
    void anAnswerInSeveralSegmentsWasThereWithTheLastOfThem() {
        spread = 60 * MICRO;
        assertThat(answered(now)).isBetween(-43 * MICRO, -42 * MICRO);
        assertThat(looks.errorIn(now - 43 * MICRO, client, true)).isBetween((60 + STAMP) * MICRO, (61 + STAMP) * MICRO);
    }

    /** What came after the kernel was asked may be the end of the answer. */
    @Test
    void whatIsReadOfAConnectionOnWhichMoreCameEndsWithItsReading() {
        stampedAt(now + 800 * MICRO);
        lookAndRead(900 * MICRO);
        bytes++;
        assertThat(looks.end(now, now - 900 * MICRO, client, true)).isEqualTo(now);
    }

    /** Then the last segment of an answer is not the one that came last. */
    @Test
    void whereSegmentsOvertookOneAnotherACallEndsWithItsReading() {
        outOfOrder = 1;
        assertThat(answered(now)).isZero();
        looks.hasRead();
        looks.end(1, true);
        looks.serves(client);
        assertThat(answered(now)).isLessThan(-102 * MICRO);
    }

    /** It is asked too much then: the exact ends of calls cost more than one question. */
    @Test
    void aLoopThatHasMuchToDoEndsItsCallsWithTheirReading() {
        look(0, 3_000 * MICRO);
        assertThat(answered(now)).isZero();
        looks.hasRead();
        looks.end(1, true);
        looks.serves(client);
        look(4_000 * MICRO, 0);
        assertThat(answered(now)).isLessThan(-102 * MICRO);
    }

    @Test
    void whatWasThereBeforeTheRequestIsNotItsAnswer() {
        assertThat(answered(now + 801 * MICRO)).isZero();
    }

    /** Either it waited below its connection for long, or the wall clock was set. */
    @Test
    void aCallDoesNotEndBeforeTheLookThatDidNotFindItsAnswer() {
        look(900 * MICRO, 0);
        look(0, 0);
        stampedAt(now - 100 * MICRO);
        lookAndRead(MICRO);
        assertThat(looks.end(now, now - 500 * MICRO, client, true)).isEqualTo(now);
    }

    @Test
    void callsThatShareAConnectionEndWithTheirReading() {
        stampedAt(now + 800 * MICRO);
        lookAndRead(900 * MICRO);
        assertThat(looks.end(now, now - 900 * MICRO, client, false)).isEqualTo(now);
        assertThat(looks.end(now, now - 900 * MICRO, new Client(), true)).isEqualTo(now);
        looks.hasRead();
        assertThat(looks.end(now, now - 900 * MICRO, client, true)).isEqualTo(now);
    }

    @Test
    void whereAConnectionHasSeveralCallsTheStampIsOfNoneOfThem() {
        stampedAt(now + 800 * MICRO);
        lookAndRead(900 * MICRO);

        assertThat(looks.errorIn(now, client, false)).isEqualTo((900 + RECEIVE) * MICRO);
    }

    @Test
    void aKernelThatDoesNotSayLeavesTheLookBefore() {
        lookAndRead(900 * MICRO);

        assertThat(looks.errorIn(now, client, true)).isEqualTo((900 + RECEIVE) * MICRO);
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void aStampThatCannotBeIsNotTaken() {
        stampedAt(now + 2_000 * MICRO);
        lookAndRead(900 * MICRO);
        assertThat(looks.errorIn(now, client, true)).isEqualTo((900 + RECEIVE) * MICRO);
    }

    /** What handles packets was kept from running: the segment had come long before the look that did not find it. */
    @Test
    void whatWaitedBelowItsConnectionIsFoundByItsStamp() {
        now += 1_000 * MICRO;
        look(0, 0);
        stampedAt(now - 5_000 * MICRO);
        lookAndRead(10 * MICRO);
        assertThat(asked).isEqualTo(1);
        assertThat(looks.errorIn(now, client, true)).isBetween((5_010 + STAMP) * MICRO, (5_011 + STAMP) * MICRO);
        assertThat(looks.errorIn(now, client, false)).isBetween((5_010 + STAMP) * MICRO, (5_011 + STAMP) * MICRO);

        // Others may have waited with it, and are asked about for a while.
        for (int i = 0; i < 3; i++) {
            again();
        }
        assertThat(asked).isEqualTo(4);
        assertThat(looks.errorIn(now, client, true)).isBetween(2_000 * MICRO, 6_000 * MICRO);
        for (int i = 0; i < 30; i++) {
            now += 1_000 * MICRO;
            stampedAt(now);
            again();
        }
        int before = asked;
        again();
        assertThat(asked).isEqualTo(before);
    }

    /** Looks without finding anything, then finds something on the connection. */
    private void again() {
        looks.hasRead();
        looks.serves(client);
        looks.end(1, true);
        look(MICRO, MICRO);
        lookAndRead(MICRO);
    }

    @Test
    void theKernelIsAskedOnceAMillisecondWhereLooksSayEnough() {
        for (int i = 0; i < 1_000; i++) {
            now += 7 * MICRO;
            stampedAt(now);
            again();
        }
        assertThat(asked).isBetween(9, 11);
    }

    @Test
    void aWallClockThatIsSetIsLookedAtAgain() {
        stampedAt(now + 800 * MICRO);
        lookAndRead(900 * MICRO);
        looks.hasRead();
        looks.end(1, true);
        looks.serves(client);
        ahead -= 3_000_000_000L;
        look(20_000 * MICRO, 0);
        stampedAt(now + 600 * MICRO);
        lookAndRead(700 * MICRO);

        assertThat(looks.errorIn(now, client, true)).isBetween((100 + STAMP) * MICRO, (102 + STAMP) * MICRO);
    }

    /** The first read may have left some, which then was there at the second look too. */
    @Test
    void whatIsFoundTwiceInARowMayHaveBeenThereTheFirstTime() {
        now += 10 * MICRO;
        lookAndRead(MICRO);
        looks.hasRead();
        looks.end(1, true);
        now += 4 * MICRO;
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, false)).isEqualTo((16 + RECEIVE) * MICRO);
        assertThat(asked).isZero();

        // Once it was found empty, it counts anew.
        looks.hasRead();
        looks.end(1, true);
        look(MICRO, MICRO);
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, false)).isEqualTo((3 + RECEIVE) * MICRO);
    }

    /** The request that is answered now was made after the look before. */
    @Test
    void whatIsFoundAfterAnAnswerWasNotLeftByIt() {
        for (int i = 0; i < 5; i++) {
            looks.serves(client);
            looks.served();
            now += 10 * MICRO;
            lookAndRead(MICRO);
            assertThat(looks.errorIn(now, client, true)).isBetween((11 + RECEIVE) * MICRO, (12 + RECEIVE) * MICRO);
            looks.hasRead();
            looks.end(1, true);
        }
        assertThat(asked).isZero();
    }

    @Test
    void aLookThatDidNotFindAllDoesNotCount() {
        looks.begin();
        now += 2 * MICRO;
        looks.told(true);
        looks.end(1, false);
        now += 10 * MICRO;
        lookAndRead(MICRO);

        assertThat(looks.errorIn(now, client, true)).isEqualTo((13 + RECEIVE) * MICRO);
    }
}
