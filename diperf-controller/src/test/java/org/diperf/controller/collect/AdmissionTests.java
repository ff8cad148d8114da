package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
                    ? "wanted this run's token, found another one: use the ticket of this run"
                    : "wanted wire version 2, found version " + hello.protocol()
                            + ": use the same DiPerF for controller and testers";
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
                .containsExactly(new Message.RejectedHello("tester 1 has joined already, from another process"));
        FakePeer same = new FakePeer(false);
        assertThat(admits(same, hello(CREDENTIALS.token(), Frame.VERSION, true)))
                .isTrue();
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
        assertThat(peer.said()).containsExactly(new Message.RejectedHello("this run has no datagrams"));
        assertThat(peer.isActive()).isFalse();
        assertThat(peer.isAuthenticated()).isFalse();
    }
}
