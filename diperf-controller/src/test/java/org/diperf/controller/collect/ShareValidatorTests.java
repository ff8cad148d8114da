package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.plan.ClientNumbering;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.sample.TestCall;
import org.diperf.core.spi.Url;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a tester that has joined, and lies, may report. */
@Timeout(60)
final class ShareValidatorTests {

    private static final int TESTERS = 2;
    private static final int CLIENTS = 10;

    private final HandDrivenSession hand = new HandDrivenSession();

    /** Tester 1 has slot 2 of 2: the odd clients from 1 to 9. */
    private static Assignment assignment() {
        return assignment(new Plan(
                1,
                TESTERS,
                Targets.one(Url.of("fake://host")),
                List.of(new Stage(0, new ClosedLoad(4, 0, 1_000_000_000, ThinkTime.NONE, 1_000_000), 0)),
                true,
                new ClientNumbering(ClientNumbering.Placement.ROUND_ROBIN, CLIENTS, 0, 0)));
    }

    private static Assignment assignment(Plan plan) {
        Assignment plain = MiniCluster.assignment(TESTERS);
        return new Assignment(
                plan,
                2,
                Rank.ONLY,
                plain.plugin(),
                plain.with(),
                plain.jars(),
                LoopSettings.DEFAULT,
                plain.leaseNanos(),
                plain.lingerNanos(),
                false,
                Script.NONE);
    }

    private static ByteBuffer calls(long number, int... clients) {
        CallWriter writer = new CallWriter(1, clients.length, 0);
        for (int client : clients) {
            writer.add(new TestCall(1_000, 10, 100).client(client).bytes(1));
        }
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, number);
        return block.flip();
    }

    private FakePeer assigned() {
        FakePeer peer = hand.join(false);
        hand.session.assign(assignment());
        return peer;
    }

    @Test
    void callsOfItsOwnClientsAreKeptThoseTooThatAPlanWillHaveLater() {
        assigned();
        hand.say(new Message.Block(calls(1, 1, 3, 1)));
        hand.say(new Message.Block(calls(2, 9)));
        assertThat(hand.kept).containsExactly(1L, 2L);
    }

    @Test
    void callsOfAnotherTestersClientAreRefusedAndTheTesterIsDroppedAndNamed() {
        FakePeer peer = assigned();
        hand.say(new Message.Block(calls(1, 1)));
        hand.say(new Message.Block(calls(2, 1, 3, 0, 5)));
        assertThat(hand.kept).containsExactly(1L);
        assertThat(peer.isActive()).isFalse();
        assertThat(hand.events.all())
                .last()
                .asString()
                .startsWith("dropped 1 sent 4 calls by clients of other testers, such as client 0");
    }

    /** More testers than clients: the place where its first one would be is that of the next group's first one. */
    @ParameterizedTest
    @EnumSource(ClientNumbering.Placement.class)
    void aTesterWithoutClientsSpeaksForNobody(ClientNumbering.Placement placement) {
        FakePeer peer = hand.join(false);
        Plan one = new Plan(
                1,
                TESTERS,
                Targets.one(Url.of("fake://host")),
                List.of(new Stage(0, new ClosedLoad(1, 0, 1_000_000_000, ThinkTime.NONE, 1_000_000), 0)),
                false,
                new ClientNumbering(placement, 1, 0, 0));
        int nextGroups = one.numbering().clients();
        assertThat(one.clientAt(2, 0)).isEqualTo(nextGroups);
        hand.session.assign(assignment(one));
        hand.say(new Message.Block(calls(1, nextGroups)));
        assertThat(hand.kept).isEmpty();
        assertThat(peer.isActive()).isFalse();
        assertThat(hand.events.all()).last().asString().contains("such as client " + nextGroups);
    }

    @Test
    void clientsBeyondThePlanAreRefused() {
        for (int client : new int[] {CLIENTS + 1, (1 << 24) - 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
            HandDrivenSession other = new HandDrivenSession();
            other.join(false);
            other.session.assign(assignment());
            other.say(new Message.Block(calls(1, client)));
            assertThat(other.kept).as("client %d", client).isEmpty();
            assertThat(other.events.all()).last().asString().contains("such as client " + client);
        }
    }

    @Test
    void aBlockOfMoreRowsThanTestersMakeIsRefusedHoweverFewItsBytes() {
        assigned();
        ObservationWriter writer = new ObservationWriter(1, ShareValidator.MAX_ROWS + 1);
        for (int row = 0; row <= ShareValidator.MAX_ROWS; row++) {
            writer.add("fake", 7, 1, ObservationWriter.NONE, ObservationWriter.NONE);
        }
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, 1);
        assertThat(block.flip().remaining()).isLessThan(300);
        hand.say(new Message.Block(block));
        assertThat(hand.kept).isEmpty();
        assertThat(hand.events.all()).last().asString().contains("4097 rows (limit 4096)");
    }
}
