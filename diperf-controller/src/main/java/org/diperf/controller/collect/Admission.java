package org.diperf.controller.collect;

import java.util.Optional;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.tester.transport.FrameTimestamps;
import org.jspecify.annotations.Nullable;

/**
 * Decides who takes part in the run: how many peers may try at once, whether a hello is one of this run's testers, and
 * who gets keys for datagrams. Whoever is refused is told why. Confined to the collector's event loop.
 */
final class Admission {

    private final NanoClock clock;
    private final RunCredentials credentials;
    private final UnauthenticatedPeers strangers = new UnauthenticatedPeers();
    private @Nullable Datagrams datagrams;

    Admission(NanoClock clock, RunCredentials credentials) {
        this.clock = clock;
        this.credentials = credentials;
    }

    /** Gives out keys for this port from now on. */
    void datagrams(Datagrams ways) {
        datagrams = ways;
    }

    /** Returns whether a new peer may try to join. */
    boolean mayTry(Peer peer) {
        return strangers.admit(peer, clock.nanoTime());
    }

    /** Forgets a peer that has gone. */
    void forget(Peer peer) {
        strangers.forget(peer);
    }

    /** Ends peers that take too long to join. */
    void tick(long nowNanos) {
        strangers.tick(nowNanos);
    }

    /** Logs why a peer was not let in, once per reason and address. */
    void refused(Peer peer, String reason, boolean noise) {
        if (peer.isAuthenticated()) {
            strangers.tell(peer, reason);
        } else {
            strangers.refused(peer, reason, noise, clock.nanoTime());
        }
    }

    /** Lets in whoever says hello as this tester, or tells it why not. */
    boolean admits(Peer peer, int tester, Session session, Message.Hello hello) {
        Optional<String> objection = objection(peer, session, hello);
        if (objection.isPresent()) {
            refuse(peer, tester, objection.get());
            if (!peer.isRelay()) {
                peer.close();
            }
            return false;
        }
        authenticated(peer);
        return true;
    }

    private Optional<String> objection(Peer peer, Session session, Message.Hello hello) {
        if (!credentials.isToken(hello.token())) {
            return Optional.of("expected this run's token, got a different one: use this run's ticket");
        }
        if (hello.protocol() != Frame.VERSION) {
            return Optional.of("expected wire version " + Frame.VERSION + ", got version " + hello.protocol()
                    + ": use the same DiPerF version for controller and testers");
        }
        return session.objection(peer, hello.resume());
    }

    /** Gives keys for datagrams to a peer on a connection with TLS, which is not needed any more. */
    void enrol(Peer peer, int tester, Message.Enrol enrol) {
        Datagrams ways = datagrams;
        if (!(peer instanceof TlsPeer tls) || ways == null || !credentials.isToken(enrol.token())) {
            refuse(
                    peer,
                    tester,
                    ways == null
                            ? "this run does not use datagrams"
                            : "expected this run's token, got a different one");
            peer.close();
            return;
        }
        authenticated(peer);
        tls.enrol(ways).ifPresent(enrolled -> answer(peer, tester, enrolled));
    }

    private void authenticated(Peer peer) {
        if (!peer.isAuthenticated()) {
            peer.authenticated();
            strangers.forget(peer);
        }
    }

    private void refuse(Peer peer, int tester, String reason) {
        refused(peer, reason, false);
        answer(peer, tester, new Message.RejectedHello(reason));
    }

    /** Has a tester behind a relay, which others share, end its own way and come again: it wants a welcome first. */
    void tryLater(Peer relay, int tester) {
        answer(relay, tester, new Message.Ping());
    }

    /** Answers on stamps of their own: this peer is no tester yet. */
    private void answer(Peer peer, int tester, Message message) {
        peer.send(new FrameTimestamps(tester).frame(message, clock.nanoTime()));
    }
}
