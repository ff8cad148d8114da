package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.diperf.controller.collect.HandDrivenSession.LEASE;
import static org.diperf.controller.collect.HandDrivenSession.MS;
import static org.diperf.controller.collect.HandDrivenSession.OFFSET;
import static org.diperf.controller.collect.HandDrivenSession.S;
import static org.diperf.controller.collect.HandDrivenSession.assignment;
import static org.diperf.controller.collect.HandDrivenSession.block;
import static org.diperf.controller.collect.HandDrivenSession.noted;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.Exchange;
import org.diperf.core.faults.FaultyDisk;
import org.diperf.core.plan.Stage;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.TimeExchange;
import org.diperf.core.wire.TimeServerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class SessionTests {

    private static final TesterTotals TOTALS = new TesterTotals(3, 0, 0, 0, Map.of(), 5);

    private final HandDrivenSession hand = new HandDrivenSession();
    private final Session session = hand.session;

    /** Joins, gives the assignment and says that it is prepared. */
    private FakePeer prepared() {
        FakePeer peer = hand.join(false);
        session.assign(assignment(false));
        peer.sent.clear();
        hand.say(new Message.Ready());
        return peer;
    }

    /** Prepares it and answers the pings. */
    private FakePeer ready() {
        FakePeer peer = prepared();
        hand.advance(S);
        hand.answer(peer, MS);
        assertThat(hand.events.all()).containsSubsequence("ready 1", "may start 1");
        return peer;
    }

    @Test
    void aTesterJoinsOnceAndComesBackByOtherWays() {
        FakePeer first = hand.join(false);
        assertThat(first.said()).containsExactly(new Message.Welcome(0, LEASE, TimeServerSettings.NONE));
        FakePeer second = new FakePeer(false);
        assertThat(hand.joinBy(second, true)).isFalse();
        assertThat(first.isActive()).isFalse();
        assertThat(session.isReachedBy(second)).isTrue();
        assertThat(hand.events.all()).containsExactly("joined 1 node,1", "log 1 connected again from 10.0.0.1");
    }

    @Test
    void eightPingsTenMillisecondsApartGiveTheOffsetByWhichTheTesterStarts() {
        FakePeer peer = prepared();
        for (int ping = 1; ping <= 8; ping++) {
            assertThat(hand.events.all()).doesNotContain("ready 1");
            assertThat(peer.sent).isEmpty();
            hand.advance(ping == 1 ? 0 : 10 * MS);
            assertThat(peer.sent).hasSize(1);
            hand.answer(peer, MS);
        }
        assertThat(hand.events.all()).containsSubsequence("ready 1", "may start 1");

        long atNanos = hand.now() + S;
        session.start(atNanos);
        assertThat(peer.said()).containsExactly(new Message.Start(atNanos - OFFSET, 0));
        session.start(atNanos + S);
        assertThat(peer.said()).isEmpty();
        assertThat(hand.events.all()).containsOnlyOnce("started 1");
    }

    @Test
    void aTesterThatAnswersThreePingsIsReadyAfterASecond() {
        FakePeer peer = prepared();
        hand.advance(25 * MS);
        hand.answer(peer, MS);
        hand.advance(974 * MS);
        assertThat(hand.events.all()).doesNotContain("ready 1");
        hand.advance(MS);
        assertThat(hand.events.all()).contains("ready 1");
    }

    @Test
    void aTesterWhoseClockIsUnknownIsNotReady() {
        FakePeer peer = prepared();
        hand.advance(5 * S);
        assertThat(hand.events.all()).doesNotContain("ready 1");
        session.start(hand.now() + S);
        assertThat(peer.said()).hasSize(8).doesNotHaveAnyElementsOfTypes(Message.Start.class);
    }

    private Message.Exchanges timeServerAnswers(int answers, long epoch) {
        long atNanos = hand.now();
        Exchange exchange = new Exchange(atNanos, atNanos - OFFSET + 100_000, atNanos - OFFSET - 100_000, atNanos);
        return new Message.Exchanges(Collections.nCopies(answers, new TimeExchange(epoch, 0, exchange)));
    }

    @Test
    void eightAnswersOfTheTimeServerMakePingsNeedless() {
        FakePeer peer = hand.join(false);
        session.assign(assignment(false));
        hand.say(timeServerAnswers(8, HandDrivenSession.EPOCH));
        peer.sent.clear();
        hand.say(new Message.Ready());
        assertThat(hand.events.all()).contains("ready 1");
        hand.advance(S);
        assertThat(peer.sent).isEmpty();
        assertThat(hand.clockRows).hasSize(8).allMatch(row -> row.startsWith("1,\"node,1\",udp,7,0,"));
    }

    @Test
    void answersOnAnotherClockAreKeptAndSayNothingOfTheStart() {
        hand.join(false);
        session.assign(assignment(false));
        hand.say(timeServerAnswers(8, HandDrivenSession.EPOCH + 1));
        hand.say(new Message.Ready());
        hand.advance(S);
        assertThat(hand.events.all()).doesNotContain("ready 1");
        assertThat(hand.clockRows).hasSize(8);
    }

    @Test
    void aTesterThatIsTooLateForTheStartWaitsUntilItIsToldWhenToJoin() {
        FakePeer peer = ready();
        long startNanos = hand.now() - S;
        session.start(startNanos);
        assertThat(peer.said()).isEmpty();
        session.joinAt(3 * S);
        session.start(startNanos);
        assertThat(peer.said()).containsExactly(new Message.Start(startNanos - OFFSET, 3 * S));
    }

    @Test
    void aTesterThatIsReadyWithoutAnAssignmentIsDroppedForGood() {
        FakePeer peer = hand.join(false);
        hand.say(new Message.Ready());
        assertThat(peer.isActive()).isFalse();
        assertThat(session.isConnected()).isFalse();
        assertThat(hand.events.all()).contains("dropped 1 reported ready before it had an assignment");
        assertThat(session.objection(new FakePeer(false), true))
                .hasValue("tester 1 was dropped earlier: reported ready before it had an assignment");
    }

    @Test
    void aTesterThatIsDroppedBehindARelayLeavesTheRelayOpen() {
        FakePeer relay = new FakePeer(true);
        hand.joinBy(relay, false);
        relay.sent.clear();
        session.fault("broke the protocol");
        session.fault("broke it again");
        assertThat(relay.isActive()).isTrue();
        assertThat(relay.sessions()).isEmpty();
        assertThat(relay.said()).containsExactly(new Message.RejectedHello("dropped: it broke the protocol"));
        assertThat(hand.events.all()).containsExactly("joined 1 node,1", "dropped 1 broke the protocol");
    }

    @Test
    void aTesterIsLostAfterItsLeaseAndBackWithItsNextWord() {
        hand.join(false);
        hand.advance(LEASE);
        assertThat(session.checkLease(LEASE, hand.now())).isEqualTo(LEASE);
        hand.advance(MS);
        assertThat(session.checkLease(LEASE, hand.now())).isZero();
        assertThat(session.checkLease(LEASE, hand.now())).isZero();
        assertThat(hand.events.all()).containsOnlyOnce("lost 1 silent for 10001 ms (limit 10000 ms)");
        hand.say(new Message.Status(TesterStatus.NONE));
        assertThat(hand.events.all()).endsWith("back 1", "status 1 0");
    }

    @Test
    void silenceDoesNotCountWhileTheCollectorDoesNotListen() {
        FakePeer peer = hand.join(false);
        hand.advance(LEASE / 2);
        long pausedNanos = hand.now();
        hand.advance(2 * LEASE);
        session.listenedAgain(pausedNanos, hand.now());
        assertThat(session.checkLease(LEASE, hand.now())).isEqualTo(LEASE / 2);
        hand.advance(LEASE / 2);
        assertThat(session.checkLease(LEASE, hand.now())).isEqualTo(LEASE);
        peer.close();
        hand.advance(MS);
        session.checkLease(LEASE, hand.now());
        assertThat(hand.events.all()).contains("lost 1 gone for 10001 ms (limit 10000 ms)");
    }

    @Test
    void nobodyIsLostWhoIsDebuggedOrHasNothingMoreToSay() {
        session.assign(assignment(true));
        hand.join(false);
        hand.advance(2 * LEASE);
        assertThat(session.checkLease(LEASE, hand.now())).isZero();

        HandDrivenSession other = new HandDrivenSession();
        other.join(false);
        other.say(new Message.Finished(TOTALS));
        other.advance(2 * LEASE);
        assertThat(other.session.checkLease(LEASE, other.now())).isZero();

        HandDrivenSession third = new HandDrivenSession();
        third.join(false);
        third.say(new Message.Refused("no descriptors"));
        third.say(new Message.Refused("no descriptors"));
        third.advance(2 * LEASE);
        assertThat(third.session.checkLease(LEASE, third.now())).isZero();
        assertThat(third.events.all()).containsExactly("joined 1 node,1", "refused 1 no descriptors");
    }

    @Test
    void pingsComeEverySoOftenAndInACrowdWhateverIsSaidCounts() {
        FakePeer peer = hand.join(false);
        peer.sent.clear();
        session.pingEvery(S, hand.now(), true);
        assertThat(peer.said()).isEmpty();
        session.pingEvery(S, hand.now(), false);
        session.pingEvery(S, hand.now(), false);
        assertThat(peer.said()).containsExactly(new Message.Ping());
        hand.advance(S);
        session.pingEvery(S, hand.now(), true);
        assertThat(peer.said()).containsExactly(new Message.Ping());
    }

    @Test
    void totalsAreNotedOnceAllBlocksAreDurable(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("journal");
        try (Journal journal = Journal.create(file, () -> 1)) {
            HandDrivenSession other = new HandDrivenSession(journal);
            FakePeer peer = other.join(false);
            peer.sent.clear();
            other.say(new Message.Block(block(1, 1)));
            other.say(new Message.Finished(TOTALS));
            other.say(new Message.Finished(TOTALS));
            assertThat(other.events.all()).containsOnlyOnce("finished 1");
            assertThat(noted(file)).hasSize(1).hasOnlyElementsOfType(Message.Hello.class);
            other.session.durable(1);
            other.session.durable(1);
            assertThat(peer.said()).containsExactly(new Message.Ack(1), new Message.Ack(1));
            assertThat(noted(file)).hasSize(2).endsWith(new Message.Finished(TOTALS));
        }
    }

    @Test
    void theEndOfATesterWhoseBlocksAreNotTakenIsNotNoted(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("journal");
        try (Journal journal = Journal.create(file, () -> 1)) {
            HandDrivenSession other = new HandDrivenSession(journal);
            other.join(false);
            other.failed = true;
            other.say(new Message.Block(block(1, 1)));
            other.say(new Message.Finished(TOTALS));
            assertThat(noted(file)).hasSize(1).hasOnlyElementsOfType(Message.Hello.class);
        }
    }

    @Test
    void anOrderThatTheJournalDoesNotTakeIsNotGiven(@TempDir Path folder) throws Exception {
        FaultyDisk disk = new FaultyDisk(folder);
        Path file = disk.root().resolve("journal");
        List<String> failures = new ArrayList<>();
        try (Journal journal = Journal.create(file, () -> 1)) {
            journal.onFailure(failures::add);
            HandDrivenSession other = new HandDrivenSession(journal);
            FakePeer peer = other.join(false);
            peer.sent.clear();
            disk.leaveRoom(10);
            other.session.assign(assignment(false));
            assertThat(peer.said()).isEmpty();
            assertThat(failures).containsExactly("The journal of the run cannot be written: No space left on device");
            disk.makeRoom();
            other.session.assign(assignment(false));
            assertThat(peer.said()).containsExactly(new Message.Assign(assignment(false)));
            assertThat(noted(file)).hasSize(2).endsWith(new Message.Assign(assignment(false)));
        }
    }

    /** Its connection was cut before our welcome came, which only its own end has noticed. */
    @Test
    void whomTheWelcomeDidNotReachIsLetInOnAnotherWay() {
        FakePeer dead = hand.join(false);
        FakePeer fresh = new FakePeer(false);
        assertThat(session.isInDoubt(fresh, false)).isTrue();
        hand.advance(Session.ANSWER_NANOS);
        assertThat(session.isInDoubt(fresh, false)).isFalse();
        assertThat(session.objection(fresh, false)).isEmpty();
        hand.joinBy(fresh, false);
        assertThat(dead.isActive()).isFalse();
        assertThat(fresh.said()).contains(new Message.Welcome(0, LEASE, TimeServerSettings.NONE));
    }

    @Test
    void whoHasAnsweredIsNotReplacedByAnotherProcess() {
        hand.join(false);
        hand.say(new Message.Pong());
        hand.advance(Session.ANSWER_NANOS);
        FakePeer other = new FakePeer(false);
        assertThat(session.isInDoubt(other, false)).isFalse();
        assertThat(session.objection(other, false)).hasValue("tester 1 has already joined from another process");
    }

    @Test
    void theJournalHasNoToken(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("journal");
        try (Journal journal = Journal.create(file, () -> 1)) {
            new HandDrivenSession(journal).join(false);
            assertThat(((Message.Hello) noted(file).get(0)).token()).isEmpty();
        }
    }

    @Test
    void aTesterThatAnotherCollectorStartedIsLostUntilItComesBackAndStartsOnce() {
        session.restore(new Message.Hello("", 2, false, MiniCluster.FACTS));
        session.restore(new Message.Assign(assignment(false)));
        session.restore(new Message.Start(55, 3));
        session.restored(4);
        assertThat(session.objection(new FakePeer(false), false))
                .hasValue("tester 1 was already working; a new process cannot continue the old one's work");
        FakePeer peer = hand.join(true);
        assertThat(peer.said()).containsExactly(new Message.Welcome(4, LEASE, TimeServerSettings.NONE));
        assertThat(hand.events.all()).endsWith("back 1");
        session.start(hand.now() + S);
        assertThat(peer.said()).isEmpty();
        session.repeat(List.of(), null);
        assertThat(peer.said()).endsWith(new Message.Start(55, 3));
    }

    @Test
    void aTesterThatComesBackIsToldAgainWhatItMayHaveMissed() {
        FakePeer away = ready();
        long startNanos = hand.now() + S;
        session.start(startNanos);
        away.close();
        session.stop(5);
        FakePeer peer = hand.join(true);
        peer.sent.clear();
        Stage stage = assignment(false).plan().stages().get(0);
        session.repeat(List.of(stage), 9L);
        assertThat(peer.said())
                .containsExactly(
                        new Message.Assign(assignment(false)),
                        new Message.Append(stage),
                        new Message.Start(startNanos - OFFSET, 0),
                        new Message.Stop(9),
                        new Message.Stop(5));
    }

    @Test
    void theSpoolOfADroppedTesterIsLeftAlone() {
        hand.join(false);
        session.left(new Message.Block(block(1, 1)));
        assertThat(hand.kept).isEmpty();
        session.assign(assignment(false));
        session.left(new Message.Block(block(1, 1)));
        session.left(new Message.Finished(TOTALS));
        assertThat(hand.kept).containsExactly(1L);
        assertThat(hand.events.all()).endsWith("finished 1");
        session.fault("broke the protocol");
        session.left(new Message.Block(block(1, 2)));
        assertThat(hand.kept).containsExactly(1L);
    }

    @Test
    void aLongLineForTheLogIsCut() {
        hand.join(false);
        hand.say(new Message.Log("x".repeat(4_001)));
        assertThat(hand.events.all()).endsWith("log 1 " + "x".repeat(4_000) + "...");
    }

    @Test
    void whatAControllerSaysIsNoMessageOfATester() {
        hand.join(false);
        assertThat(hand.say(new Message.Bye())).isFalse();
        assertThat(hand.say(new Message.Pong())).isTrue();
    }

    @Test
    void aTesterThatJoinsAgainAndAgainIsHeardOnceASecond() {
        for (int join = 0; join < Session.MAX_JOINS; join++) {
            assertThat(session.mayJoin(hand.now())).isTrue();
        }
        assertThat(session.mayJoin(hand.now())).isFalse();
        assertThat(session.mayJoin(hand.now())).isFalse();
        assertThat(hand.events.all())
                .containsExactly(
                        "log 1 joins too often (limit 8 at once, then 1 per second); some of its attempts are ignored");
        hand.advance(S);
        assertThat(session.mayJoin(hand.now())).isTrue();
        assertThat(session.mayJoin(hand.now())).isFalse();
        int heard = 0;
        for (int join = 0; join < 20; join++) {
            hand.advance(S / 2);
            heard += session.mayJoin(hand.now()) ? 1 : 0;
        }
        assertThat(heard).as("twice a second for 10 s").isEqualTo(10);
    }

    @Test
    void ofTooManyClockExchangesAsManyAreKeptAsAreAllowed() {
        hand.join(false);
        Message one =
                new Message.Exchanges(List.of(new TimeExchange(HandDrivenSession.EPOCH, 0, new Exchange(1, 1, 1, 1))));
        for (int told = 0; told < 2 * Session.MAX_EXCHANGES; told++) {
            hand.say(one);
        }
        assertThat(hand.clockRows).as("rows at once").hasSize(Session.MAX_EXCHANGES);
        for (int told = 0; told < 20 * 2 * Session.EXCHANGES_PER_SECOND; told++) {
            hand.advance(S / (2 * Session.EXCHANGES_PER_SECOND));
            hand.say(one);
        }
        assertThat(hand.clockRows.size() - Session.MAX_EXCHANGES)
                .as("rows of twice as many as are allowed, for 20 s")
                .isBetween(20 * Session.EXCHANGES_PER_SECOND - 1, 20 * Session.EXCHANGES_PER_SECOND);
    }
}
