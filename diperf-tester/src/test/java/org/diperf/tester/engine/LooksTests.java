package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.diperf.core.sample.CallWriter;
import org.diperf.tester.engine.Looks.Client;
import org.diperf.tester.engine.Looks.Connection;
import org.diperf.tester.machine.ReceiveStamps;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LooksTests {

    private static final long MICRO = 1_000;

    /** By how much the wall clock is ahead; a reading of it is good to half a microsecond. */
    private static final long AHEAD = 1_000_000_000_000L;

    private static final int DESCRIPTOR = 7;

    private long now = 5_000_000;
    private long ahead = AHEAD;
    private long stamp = ReceiveStamps.NONE;
    private int asked;
    private final Client client = new Client();
    private Connection connection = new Connection(client);
    private Looks looks;

    @BeforeEach
    void make() {
        looks = new Looks(() -> now, () -> (now + ahead) / 1e9);
        look(0, 0);
    }

    /** Looks now; is told after a time, and is through with what came after another one. */
    private void look(long waitNanos, long workNanos) {
        looks.begin();
        now += waitNanos;
        looks.told(true);
        now += workNanos;
        looks.end(true);
    }

    /** Looks now, is told after a time, and finds something on the connection. */
    private void lookAndRead(long waitNanos) {
        looks.begin();
        now += waitNanos;
        looks.told(true);
        read();
    }

    private void read() {
        looks.reads(
                connection,
                descriptor -> {
                    assertThat(descriptor).isEqualTo(DESCRIPTOR);
                    asked++;
                    return stamp;
                },
                DESCRIPTOR);
    }

    private void stampedAt(long nanos) {
        stamp = nanos + ahead;
    }

    @Test
    void anAnswerCameAfterTheLookBefore() {
        now += 10 * MICRO;
        lookAndRead(2 * MICRO);
        now += 3 * MICRO;

        assertThat(looks.errorIn(now, client, true)).isEqualTo(25 * MICRO);
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
        looks.end(true);
        stampedAt(now + 497 * MICRO);
        lookAndRead(500 * MICRO);
        // It was connected by a task of the loop, after 10 µs; the request was made 8 µs after that was there, the
        // answer read after 3.
        assertThat(looks.errorIn(now, client, true)).isBetween(41 * MICRO, 43 * MICRO);

        // The next call has nothing of it, nor has what another client's connection is late by.
        looks.serves(client);
        looks.served();
        looks.hasRead();
        looks.end(true);
        Connection own = connection;
        looks.serves(new Client());
        connection = looks.connection(DESCRIPTOR + 1);
        looks.served();
        stampedAt(now + 100 * MICRO);
        connection = own;
        lookAndRead(103 * MICRO);
        assertThat(looks.errorIn(now, client, true)).isBetween(13 * MICRO, 14 * MICRO);
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
        looks.end(true);
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
    void aLoopThatDoesNotSleepAsksOnlyWhenItsLooksAreFarApart() {
        stampedAt(now + 100 * MICRO);
        now += 150 * MICRO;
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isEqualTo(161 * MICRO);
        assertThat(asked).isZero();

        looks.hasRead();
        looks.end(true);
        stampedAt(now + 100 * MICRO);
        now += 250 * MICRO;
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isBetween(161 * MICRO, 162 * MICRO);
        assertThat(asked).isEqualTo(1);
    }

    /** What it finds may have waited below its connection a little longer than it should. */
    @Test
    void aLoopThatHasSleptAMomentAgoHasTheTimeToAsk() {
        look(900 * MICRO, 0);
        now += 15 * MICRO;
        stampedAt(now - 40 * MICRO);
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isBetween(51 * MICRO, 52 * MICRO);
        assertThat(asked).isEqualTo(1);
    }

    /** Asking costs more than what would be known better. */
    @Test
    void aLoopThatHasSleptAMomentAgoDoesNotAskWhereItsLooksAreNearEachOther() {
        look(900 * MICRO, 0);
        look(MICRO, 0);
        now += 35 * MICRO;
        stampedAt(now);
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isEqualTo(47 * MICRO);
        assertThat(asked).isZero();

        looks.hasRead();
        looks.end(true);
        looks.serves(client);
        look(MICRO, 0);
        now += 45 * MICRO;
        stampedAt(now);
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isBetween(11 * MICRO, 12 * MICRO);
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void afterALongSleepTheKernelSaysWhenItCame() {
        stampedAt(now + 800 * MICRO);
        lookAndRead(900 * MICRO);
        now += 3 * MICRO;

        // It may have come ten microseconds before its stamp, which can be half a microsecond earlier than it says.
        assertThat(looks.errorIn(now, client, true)).isBetween(113 * MICRO, 115 * MICRO);
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void whereAConnectionHasSeveralCallsTheStampIsOfNoneOfThem() {
        stampedAt(now + 800 * MICRO);
        lookAndRead(900 * MICRO);

        assertThat(looks.errorIn(now, client, false)).isEqualTo(910 * MICRO);
    }

    @Test
    void aKernelThatDoesNotSayLeavesTheLookBefore() {
        lookAndRead(900 * MICRO);

        assertThat(looks.errorIn(now, client, true)).isEqualTo(910 * MICRO);
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void aStampThatCannotBeIsNotTaken() {
        stampedAt(now + 2_000 * MICRO);
        lookAndRead(900 * MICRO);
        assertThat(looks.errorIn(now, client, true)).isEqualTo(910 * MICRO);
    }

    /** What handles packets was kept from running: the segment had come long before the look that did not find it. */
    @Test
    void whatWaitedBelowItsConnectionIsFoundByItsStamp() {
        now += 1_000 * MICRO;
        look(0, 0);
        stampedAt(now - 5_000 * MICRO);
        lookAndRead(10 * MICRO);
        assertThat(asked).isEqualTo(1);
        assertThat(looks.errorIn(now, client, true)).isBetween(5_020 * MICRO, 5_021 * MICRO);
        assertThat(looks.errorIn(now, client, false)).isBetween(5_020 * MICRO, 5_021 * MICRO);

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
        looks.end(true);
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
        looks.end(true);
        looks.serves(client);
        ahead -= 3_000_000_000L;
        look(20_000 * MICRO, 0);
        stampedAt(now + 600 * MICRO);
        lookAndRead(700 * MICRO);

        assertThat(looks.errorIn(now, client, true)).isBetween(110 * MICRO, 112 * MICRO);
    }

    /** The first read may have left some, which then was there at the second look too. */
    @Test
    void whatIsFoundTwiceInARowMayHaveBeenThereTheFirstTime() {
        now += 10 * MICRO;
        lookAndRead(MICRO);
        long first = looks.errorIn(now, client, true);
        looks.hasRead();
        looks.end(true);
        now += 4 * MICRO;
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isEqualTo(first + 5 * MICRO);
        assertThat(asked).isEqualTo(1);

        looks.hasRead();
        looks.end(true);
        stampedAt(now + MICRO);
        now += 4 * MICRO;
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isBetween(14 * MICRO, 16 * MICRO);

        // Once it was found empty, it counts anew.
        looks.hasRead();
        looks.end(true);
        look(MICRO, MICRO);
        lookAndRead(MICRO);
        assertThat(looks.errorIn(now, client, true)).isEqualTo(13 * MICRO);
    }

    @Test
    void aLookThatDidNotFindAllDoesNotCount() {
        looks.begin();
        now += 2 * MICRO;
        looks.told(true);
        looks.end(false);
        now += 10 * MICRO;
        lookAndRead(MICRO);

        assertThat(looks.errorIn(now, client, true)).isEqualTo(23 * MICRO);
    }
}
