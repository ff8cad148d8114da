package org.diperf.plugins.lib.gridftp.data;

import io.netty.channel.EventLoop;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Quantity;
import org.diperf.plugins.lib.gridftp.control.ControlChannel;
import org.diperf.plugins.lib.gridftp.control.Dialogue;
import org.diperf.plugins.lib.gridftp.control.Protection;
import org.diperf.plugins.lib.gridftp.control.Reply;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.diperf.plugins.lib.gridftp.gsi.GsiLogin;
import org.jspecify.annotations.Nullable;

/**
 * One session with one server: connected, logged in and set up once, for as many transfers as come. Confined to its event
 * loop.
 */
final class Endpoint {

    private final SessionResources resources;
    private final Dialogue dialogue;
    private final Server server;
    private final String role;
    private final boolean isOneOfTwo;
    private final EventLoop loop;
    private final Meter meter;
    private final List<String> setUp;
    private final @Nullable List<String> wishes;
    private final List<String> features;
    private final Consumer<Failure> whenLost;
    private @Nullable ControlChannel control;
    private @Nullable Runnable whenReady;
    private long beginNanos;
    private long connectedNanos;
    private long readyNanos;
    private long roundTripNanos;
    private boolean isReady;
    private long heardBytes = -1;
    private long heardNanos;

    /**
     * @param role the key by which the experiment names the server: {@code target} or {@code to}
     * @param isOneOfTwo whether failures before it is ready have to tell which one it is
     * @param setUp commands that must be accepted after the log-in
     * @param wishes commands after those, which a server may refuse; all are then sent without waiting for replies in between.
     *     {@code null}: one after another
     * @param features words of FEAT that the server must offer; it is not asked when there are none
     * @param whenLost takes why, at most once
     */
    Endpoint(
            SessionResources resources,
            Server server,
            String role,
            boolean isOneOfTwo,
            EventLoop loop,
            List<String> setUp,
            @Nullable List<String> wishes,
            List<String> features,
            Consumer<Failure> whenLost) {
        this.resources = resources;
        this.server = server;
        this.role = role;
        this.isOneOfTwo = isOneOfTwo;
        this.loop = loop;
        this.meter = resources.meterOf(loop);
        this.setUp = List.copyOf(setUp);
        this.wishes = wishes == null ? null : List.copyOf(wishes);
        this.features = List.copyOf(features);
        this.whenLost = whenLost;
        this.dialogue = resources.dialogue();
    }

    /** Tells a call what is said from now on; {@code null}: nobody will look. */
    void tell(org.diperf.core.spi.@Nullable Dialogue call) {
        dialogue.tell(call);
    }

    /** Connects and logs in. */
    void open(Runnable ready) {
        whenReady = ready;
        beginNanos = resources.clock().nanoTime();
        control = new ControlChannel(
                loop,
                resources.connectionsOf(loop)::control,
                server.address(),
                dialogue,
                this::connected,
                this::greeted,
                this::lost);
    }

    ControlChannel control() {
        ControlChannel opened = control;
        if (opened == null) {
            throw new IllegalStateException("open was not called");
        }
        return opened;
    }

    Server server() {
        return server;
    }

    /** Returns the command that asks the server for a place to connect to. */
    String passiveCommand() {
        return server.address().getAddress() instanceof Inet6Address ? "EPSV" : "PASV";
    }

    InetSocketAddress localAddress() {
        return control().localAddress();
    }

    double connectMillis() {
        return (connectedNanos - beginNanos) / 1e6;
    }

    double loginMillis() {
        return (readyNanos - connectedNanos) / 1e6;
    }

    /** Returns the shortest round trip to the server seen so far, in nanoseconds: the handshake's, or what this side waited for a reply. */
    long roundTripNanos() {
        return roundTripNanos;
    }

    /** Returns whether it is connected, logged in and set up. */
    boolean isReady() {
        return isReady;
    }

    /**
     * Looks whether the server owes an answer and has been silent; to be asked now and then, because the time is counted from the first
     * look that finds it so.
     *
     * @param mostNanos for how long it may be
     * @return what it owes, {@code null} as long as it need not be given up
     */
    @Nullable
    Failure silent(long nowNanos, long mostNanos) {
        ControlChannel open = control;
        String awaited = open == null ? null : open.awaited();
        if (open == null || awaited == null || open.receivedBytes() != heardBytes) {
            heardBytes = awaited == null || open == null ? -1 : open.receivedBytes();
            heardNanos = nowNanos;
            return null;
        }
        return nowNanos - heardNanos <= mostNanos
                ? null
                : Failure.ofService(awaited + ": no answer from " + role + " " + server.hostAndPort() + " for "
                        + Quantity.format(Duration.ofNanos(mostNanos)));
    }

    private void connected() {
        connectedNanos = resources.clock().nanoTime();
        // What this side saw holds its own delay, which in a young JVM is longer than many a way.
        long handshakeNanos = meter.handshakeNanos(control().channel());
        roundTripNanos = handshakeNanos > 0 ? handshakeNanos : connectedNanos - beginNanos;
        meter.connected(control().channel());
    }

    private void greeted(Reply greeting) {
        if (!greeting.isPositive()) {
            fail("connect", greeting);
        } else if (server.secure()) {
            // A striped server shows its nodes whom it acts for.
            boolean delegates = resources.settings().authentication() == Settings.Authentication.SELF
                    || resources.settings().striped();
            new GsiLogin(control(), resources.gsi(), delegates, server, this::authenticated, this::lost).begin();
        } else {
            user(
                    server.user().isEmpty() ? resources.settings().user() : server.user(),
                    server.user().isEmpty() ? resources.settings().password() : server.password());
        }
    }

    private void authenticated(Protection protection) {
        control().protect(protection);
        // The name stands for the account that the server maps the credential to.
        user(":globus-mapping:", "dummy");
    }

    private void user(String user, String password) {
        long askedNanos = resources.clock().nanoTime();
        control().send("USER " + user, reply -> {
            roundTripNanos = Math.min(roundTripNanos, resources.clock().nanoTime() - askedNanos);
            if (reply.wantsMore()) {
                control().send("PASS " + password, answer -> loggedIn("PASS", answer));
            } else {
                loggedIn("USER", reply);
            }
        });
    }

    private void loggedIn(String command, Reply reply) {
        if (!reply.isPositive()) {
            fail(command, reply);
        } else if (wishes != null) {
            all(wishes);
        } else if (features.isEmpty()) {
            next(commands(), 0);
        } else {
            control().send("FEAT", this::offered);
        }
    }

    private void offered(Reply reply) {
        if (offers(reply)) {
            next(commands(), 0);
        }
    }

    /** Returns whether a server offers all that is needed; otherwise it is given up. */
    private boolean offers(Reply reply) {
        Set<String> offered = new HashSet<>();
        for (String line : reply.lines()) {
            String upper = line.toUpperCase(Locale.ROOT).strip();
            offered.add(ControlChannel.word(upper));
        }
        for (String feature : features) {
            if (!reply.isPositive() || !offered.contains(feature)) {
                lost(Failure.ofService("FEAT: no " + feature));
                return false;
            }
        }
        return true;
    }

    /** Sends all commands at once, so that a far server costs one round trip for them. */
    private void all(List<String> wished) {
        if (!features.isEmpty()) {
            control().send("FEAT", this::offers);
        }
        List<String> wanted = commands();
        int last = wanted.size() + wished.size();
        for (int i = 0; i < last; i++) {
            boolean isLast = i == last - 1;
            boolean may = i >= wanted.size();
            String command = may ? wished.get(i - wanted.size()) : wanted.get(i);
            control().send(command, reply -> {
                if (!reply.isPositive() && !may) {
                    fail(ControlChannel.word(command), reply);
                } else if (isLast) {
                    ready();
                }
            });
        }
    }

    private void ready() {
        isReady = true;
        readyNanos = resources.clock().nanoTime();
        Runnable ready = whenReady;
        if (ready != null) {
            ready.run();
        }
    }

    private List<String> commands() {
        List<String> commands = new ArrayList<>();
        // First, because some servers fix the type of a transfer when they are asked for a port.
        commands.add("TYPE I");
        commands.addAll(setUp);
        if (server.secure()) {
            boolean self = resources.settings().authentication() == Settings.Authentication.SELF;
            commands.add("DCAU " + (self ? "A" : "N"));
            if (self) {
                commands.add("PBSZ 1048576");
            }
        }
        return commands;
    }

    private void next(List<String> commands, int at) {
        if (at == commands.size()) {
            ready();
            return;
        }
        String command = commands.get(at);
        control().send(command, reply -> {
            if (reply.isPositive()) {
                next(commands, at + 1);
            } else {
                fail(ControlChannel.word(command), reply);
            }
        });
    }

    private void fail(String command, Reply reply) {
        lost(Failure.ofService(command + ": " + reply.cause()));
    }

    private void lost(Failure why) {
        close();
        whenLost.accept(isOneOfTwo && !isReady ? why.in(role) : why);
    }

    void close() {
        if (control != null) {
            control.close();
        }
    }
}
