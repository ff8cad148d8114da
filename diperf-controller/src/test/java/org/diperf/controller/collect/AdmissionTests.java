package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.security.Role;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.WireException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class AdmissionTests {

    private static final RunCredentials CREDENTIALS = new RunCredentials(Instant.now(), new SecureRandom());

    private final HandDrivenSession hand = new HandDrivenSession();
    private final Admission admission = new Admission(hand::now, CREDENTIALS);

    private static Message.Hello hello(String token, int version, boolean resumes) {
        return new Message.Hello(token, version, resumes, MiniCluster.FACTS);
    }

    private boolean admits(FakePeer peer, Message.Hello hello) {
        return admission.admits(peer, 1, hand.session, hello);
    }

    @Test
    void aTesterWithTheRunsTokenIsLetIn() {
        FakePeer peer = new FakePeer(false);
        assertThat(admission.mayTry(peer)).isTrue();
        assertThat(admits(peer, hello(CREDENTIALS.token(), Frame.VERSION, false)))
                .isTrue();
        assertThat(peer.isAuthenticated()).isTrue();
        assertThat(peer.said()).isEmpty();
        // It is no stranger any more, whose time is bounded.
        hand.advance(3_600 * HandDrivenSession.S);
        admission.tick(hand.now());
        assertThat(peer.isActive()).isTrue();
    }

    @Test
    void whoDoesNotSayHelloIsClosedAfterTenSeconds() {
        FakePeer peer = new FakePeer(false);
        assertThat(admission.mayTry(peer)).isTrue();
        admission.tick(10 * HandDrivenSession.S);
        assertThat(peer.isActive()).isTrue();
        admission.tick(10 * HandDrivenSession.S + 1);
        assertThat(peer.isActive()).isFalse();
    }

    @Test
    void aWrongTokenOrVersionIsRefusedWithItsReason() {
        for (Message.Hello hello : List.of(
                hello("another", Frame.VERSION, false),
                hello(CREDENTIALS.token(), 1, false),
                hello(CREDENTIALS.token(), Frame.VERSION + 1, true))) {
            FakePeer peer = new FakePeer(false);
            assertThat(admits(peer, hello)).isFalse();
            assertThat(peer.isAuthenticated()).isFalse();
            assertThat(peer.isActive()).isFalse();
            String wanted = hello.token().equals("another")
                    ? "expected this run's token, got a different one: use this run's ticket"
                    : "expected wire version 2, got version " + hello.protocol()
                            + ": use the same DiPerF version for controller and testers";
            assertThat(peer.said()).containsExactly(new Message.RejectedHello(wanted));
        }
    }

    @Test
    void aSecondProcessOfATesterIsRefusedUnlessItResumes() {
        hand.join(false);
        hand.say(new Message.Pong());
        FakePeer other = new FakePeer(false);
        assertThat(admits(other, hello(CREDENTIALS.token(), Frame.VERSION, false)))
                .isFalse();
        assertThat(other.said())
                .containsExactly(new Message.RejectedHello("tester 1 has already joined from another process"));
        FakePeer same = new FakePeer(false);
        assertThat(admits(same, hello(CREDENTIALS.token(), Frame.VERSION, true)))
                .isTrue();
    }

    /** A tester ends a way on which anything comes before its welcome, and joins again by another. */
    @Test
    void aTesterBehindARelayThatJoinsTooOftenIsToldWhatMakesItComeAgain(@TempDir Path run) throws Exception {
        CollectorConfig config = new CollectorConfig(
                CollectorConfig.Listen.any("127.0.0.1"),
                new CollectorConfig.Files(
                        run.resolve("samples"),
                        run.resolve("clock.csv"),
                        Files.createDirectory(run.resolve("control")),
                        false),
                2,
                HandDrivenSession.LEASE,
                0,
                0,
                false);
        try (HandDrivenCollector collector = new HandDrivenCollector(config, hand::now, new Events(), 0)) {
            EmbeddedChannel relay = collector.accept(new Role.Holder(Role.RELAY, 1));
            for (int join = 0; join < Session.MAX_JOINS; join++) {
                assertThat(answers(relay, hello(collector.token(), Frame.VERSION, join > 0)))
                        .first()
                        .isInstanceOf(Message.Welcome.class);
            }
            assertThat(answers(relay, hello(collector.token(), Frame.VERSION, true)))
                    .containsExactly(new Message.Ping());
            assertThat(relay.isActive()).as("other testers share the relay").isTrue();
            hand.advance(HandDrivenSession.S);
            assertThat(answers(relay, hello(collector.token(), Frame.VERSION, true)))
                    .first()
                    .isInstanceOf(Message.Welcome.class);
        }
    }

    private List<Message> answers(EmbeddedChannel channel, Message said) throws WireException {
        channel.writeInbound(Unpooled.wrappedBuffer(new Frame(1, hand.now(), 0, 0, said).encode()));
        // A relay's answers leave together, at the end of a turn of the loop.
        channel.runPendingTasks();
        List<Message> answers = new ArrayList<>();
        for (ByteBuf each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
            answers.add(
                    Frame.decode(each.nioBuffer().position(Frame.LENGTH_FIELD)).message());
            each.release();
        }
        return answers;
    }

    @Test
    void aRelayStaysOpenWhenATesterBehindItIsRefused() {
        FakePeer relay = new FakePeer(true);
        relay.authenticated();
        assertThat(admits(relay, hello("another", Frame.VERSION, false))).isFalse();
        assertThat(relay.isActive()).isTrue();
        assertThat(relay.said()).hasSize(1).hasOnlyElementsOfType(Message.RejectedHello.class);
    }

    @Test
    void aRunWithoutDatagramsEnrolsNobody() {
        FakePeer peer = new FakePeer(false);
        admission.enrol(peer, 1, new Message.Enrol(CREDENTIALS.token()));
        assertThat(peer.said()).containsExactly(new Message.RejectedHello("this run does not use datagrams"));
        assertThat(peer.isActive()).isFalse();
        assertThat(peer.isAuthenticated()).isFalse();
    }
}
