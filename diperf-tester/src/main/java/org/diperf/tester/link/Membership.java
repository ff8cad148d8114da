package org.diperf.tester.link;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.plan.Stage;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.spi.OneLine;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.TimeExchange;
import org.diperf.tester.engine.RunningEngine;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.time.TimeProbe;
import org.diperf.tester.transport.Connection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tester's membership in a run, from the first way to the controller until the tester ends: does what the controller
 * says, ships what the engine measures, and watches the lease. Confined to the link's event loop, which makes the ways
 * and calls {@link #tick}; reads no clock but its own.
 */
public final class Membership {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    private static final long STATUS_NANOS = 500_000_000;
    private static final long TERMINATE_NANOS = 4_000_000_000L;
    private static final int MAX_LOG_LINES = 100;
    private static final int MAX_LOG_LENGTH = 2_000;

    /** Hears what it does. Called on the event loop; must not block. */
    public interface Events {

        /** The controller has let this tester in. */
        void welcomed();

        /** The way is of no use and was closed, for this reason. */
        void trouble(String reason);

        /** There is something to prepare; once. */
        void assigned(Assignment assignment);

        /** {@link #exitCode} has become known: no further way is needed; once. */
        void ended();
    }

    private final int tester;
    private final String token;
    private final Tester.Setup setup;
    private final NanoClock clock;
    private final TimeProbe time;
    private final Executor loop;
    private final Events events;
    private final Uplink uplink;
    private final BlockShipper shipping;
    private final EngineControl duty = new EngineControl();
    /** For the run's log, as soon as there is a controller to take them. */
    private final ArrayDeque<String> lines = new ArrayDeque<>();

    private long leaseNanos;
    private long statusNanos;
    private boolean fullTold;
    /** When this tester ends although its samples are not safe; {@link Long#MAX_VALUE}: nobody has asked it to end. */
    private long terminateAtNanos = Long.MAX_VALUE;

    private volatile int exitCode = -1;

    /**
     * @param token of the run
     * @param time asks the time server; on the same event loop
     * @param loop runs tasks on the event loop; takes them from any thread
     */
    public Membership(
            int tester,
            String token,
            Tester.Setup setup,
            NanoClock clock,
            TimeProbe time,
            Executor loop,
            Events events) {
        this.tester = tester;
        this.token = token;
        this.setup = setup;
        this.clock = clock;
        this.time = time;
        this.loop = loop;
        this.events = events;
        this.uplink = new Uplink(tester, clock);
        this.shipping = new BlockShipper(uplink, setup.spoolBytes(), loop, () -> loop.execute(this::tellFull));
    }

    /** Returns the sink for the engine. Any thread. */
    public BlockSink sink() {
        return shipping.spool();
    }

    /** Returns what keeps the blocks that the engine writes. Any thread. */
    Spool spool() {
        return shipping.spool();
    }

    /** Tells how the tester ends; empty while it does not. Any thread. */
    public OptionalInt exitCode() {
        return exitCode < 0 ? OptionalInt.empty() : OptionalInt.of(exitCode);
    }

    Uplink uplink() {
        return uplink;
    }

    @Nullable
    RunningEngine engine() {
        return duty.engine();
    }

    // The way

    /** Joins, or joins again, by a way that is there. */
    public void connected(Connection way) {
        uplink.open(way, token, setup.facts());
    }

    /** Called when the connection is gone. */
    public void gone() {
        uplink.gone();
    }

    /** Takes a frame that came by the way. */
    public void received(Frame frame, long atNanos) {
        if (frame.tester() != tester) {
            drop("Expected a frame for tester " + tester + ", got one for tester " + frame.tester());
            return;
        }
        uplink.received(frame, atNanos);
        Message message = frame.message();
        if (message instanceof Message.Welcome welcome) {
            welcomed(welcome);
        } else if (message instanceof Message.RejectedHello rejected) {
            rejected(rejected);
        } else if (uplink.phase() != Uplink.Phase.WELCOMED) {
            drop("Expected a welcome first, got " + message.getClass().getSimpleName());
        } else if (message instanceof Message.Ping) {
            uplink.send(new Message.Pong());
        } else if (message instanceof Message.Ack ack) {
            shipping.acknowledge(ack.durable());
            pump();
            endWhenSafe();
        } else if (message instanceof Message.Assign assign) {
            assigned(assign.assignment());
        } else if (message instanceof Message.Append append) {
            append(append.stage());
        } else if (message instanceof Message.Start start) {
            duty.start(start);
        } else if (message instanceof Message.Stop stop) {
            duty.stop(stop.graceNanos());
        } else if (message instanceof Message.Bye) {
            tellWhatEndsHere();
            end(duty.phase() == EngineControl.Phase.REFUSED ? ExitCode.REFUSED : ExitCode.DONE);
        } else {
            drop("Expected a controller message, got " + message.getClass().getSimpleName());
        }
    }

    private void welcomed(Message.Welcome welcome) {
        uplink.welcomed();
        leaseNanos = Math.max(1, welcome.leaseNanos());
        events.welcomed();
        shipping.restart(welcome.durable());
        // The controller may have missed either of these; it ignores what it knows.
        if (duty.phase() == EngineControl.Phase.REFUSED) {
            uplink.send(new Message.Refused(duty.refusal()));
        } else if (duty.phase() == EngineControl.Phase.READY) {
            sendReady();
        }
        InetAddress host = uplink.host();
        if (host != null) {
            time.server(host, welcome.time());
        }
        sendLines();
        pump();
        endWhenSafe();
    }

    /** Ends this tester: the controller does not want it. */
    void rejected(Message.RejectedHello rejected) {
        LOG.error("tester {} was rejected: {}", tester, rejected.reason());
        end(ExitCode.REJECTED);
    }

    private void drop(String reason) {
        events.trouble(reason);
        uplink.close();
    }

    // What is to be done

    private void assigned(Assignment assignment) {
        if (duty.assign(assignment)) {
            leaseNanos = assignment.leaseNanos();
            events.assigned(assignment);
        }
    }

    /** Takes the engine, which waits for the start. */
    public void prepared(RunningEngine ready) {
        duty.prepared(ready).forEach(this::append);
        if (!duty.stopsBeforeStart()) {
            time.burst(() -> {
                duty.ready();
                sendReady();
            });
        }
        ready.done()
                .whenComplete((result, failure) -> loop.execute(() -> {
                    // What comes while the time server is asked has stopped nothing.
                    TesterTotals totals = result != null && duty.isStopped() ? result.ofStoppedLoad() : result;
                    time.burst(() -> done(totals, failure));
                }));
    }

    private void append(Stage stage) {
        try {
            duty.append(stage);
        } catch (IllegalArgumentException | IllegalStateException e) {
            // The controller sends all stages again on the next way.
            drop("Expected the next stage of an open-ended plan: " + e.getMessage());
        }
    }

    /** Takes why the assignment cannot be carried out. */
    void refuse(String reason) {
        String shown = masked(reason);
        duty.refuse(shown);
        LOG.error("tester {} cannot take part: {}", tester, shown);
        uplink.send(new Message.Refused(shown));
    }

    /** Hides the secrets that came with the assignment, in whatever leaves by the wire. */
    private String masked(String text) {
        Assignment assignment = duty.assignment();
        return assignment == null ? text : assignment.script().secrets().masked(text);
    }

    private void done(@Nullable TesterTotals result, @Nullable Throwable failure) {
        if (result == null) {
            refuse("The engine failed: " + failure);
        } else {
            TesterStatus last = duty.status();
            duty.done(result);
            if (!duty.isCutShort()) {
                shipping.finish(result);
            } else if (last != null) {
                uplink.send(new Message.Status(last));
            }
            String remark = uplink.remark();
            if (remark != null) {
                log(remark);
            }
            long waits = shipping.spool().waits();
            if (waits > 0) {
                log("The load paused " + waits + " times because the sample buffer was full");
            }
        }
        pump();
        endWhenSafe();
    }

    // What is said

    /** Ships what there is. */
    void pump() {
        shipping.ship();
        sendExchanges();
    }

    private void sendReady() {
        sendExchanges();
        uplink.send(new Message.Ready());
    }

    private void sendExchanges() {
        if (uplink.isUp()) {
            List<TimeExchange> answered = time.takeAnswered();
            if (!answered.isEmpty()) {
                uplink.send(new Message.Exchanges(answered));
            }
        }
    }

    /** Sends a line to the run's log, now or when there is a way. */
    void log(String line) {
        if (lines.size() < MAX_LOG_LINES) {
            lines.add(OneLine.of(masked(line), MAX_LOG_LENGTH));
        }
        sendLines();
    }

    private void sendLines() {
        while (uplink.isUp() && !lines.isEmpty()) {
            uplink.send(new Message.Log(lines.remove()));
        }
    }

    private void tellFull() {
        if (!fullTold) {
            fullTold = true;
            log("The sample buffer of " + (setup.spoolBytes() >> 20)
                    + " MiB is full; the load waits for the controller");
        }
    }

    // Time

    /** Looks at the clock; called ten times a second. */
    public void tick() {
        if (exitCode >= 0) {
            return;
        }
        watchLease();
        long now = clock.nanoTime();
        TesterStatus status = duty.status();
        if (status != null && now - statusNanos >= STATUS_NANOS) {
            statusNanos = now;
            uplink.send(new Message.Status(status));
        }
        pump();
        if (terminateAtNanos != Long.MAX_VALUE && (now - terminateAtNanos >= 0 || isAlone() && duty.isOver())) {
            end(isAlone() ? ExitCode.CONTROLLER_GONE : ExitCode.TERMINATED);
        }
    }

    /** Returns whether the controller has been silent for longer than the lease: whoever ends this tester now is not it. */
    private boolean isAlone() {
        return uplink.wasWelcomed() && uplink.silentNanos() > leaseNanos && !duty.isDebugged();
    }

    private void watchLease() {
        long silentNanos = uplink.silentNanos();
        boolean isOut = isAlone();
        if (uplink.isDead(leaseNanos) && !duty.isDebugged()) {
            // First: what is said from now on waits for the next way.
            uplink.close();
        }
        if (isOut && duty.isCalling()) {
            String silence = "the controller was silent for " + silentNanos / 1_000_000 + " ms (limit "
                    + leaseNanos / 1_000_000 + " ms)";
            LOG.warn("tester {}: {}; stopping the load, keeping the samples", tester, silence);
            log("The lease expired: " + silence + "; this tester has stopped generating load");
            duty.stop(0);
        }
        Assignment assignment = duty.assignment();
        long lingerNanos = assignment == null ? setup.joinNanos() : leaseNanos + assignment.lingerNanos();
        boolean waitsForDebugger = duty.isDebugged() && uplink.phase() != Uplink.Phase.DOWN;
        if (silentNanos > lingerNanos && !waitsForDebugger) {
            LOG.error(
                    "tester {}: the controller has been unreachable for {} s; giving up",
                    tester,
                    silentNanos / 1_000_000_000);
            end(ExitCode.CONTROLLER_GONE);
        }
    }

    // The end

    /** Stops the load and ends the tester when its samples are safe, at the latest after four seconds. */
    public void terminate() {
        if (terminateAtNanos == Long.MAX_VALUE) {
            terminateAtNanos = clock.nanoTime() + TERMINATE_NANOS;
            if (duty.cutShort()) {
                log("was asked to stop before its plan was complete (SIGTERM); stopping its load");
            }
            endWhenSafe();
        }
    }

    private void endWhenSafe() {
        if (terminateAtNanos != Long.MAX_VALUE && duty.isOver() && shipping.isSafe()) {
            end(ExitCode.TERMINATED);
        }
    }

    /**
     * Ends this tester; the first time counts.
     *
     * @param code an {@link ExitCode}
     */
    void end(int code) {
        if (exitCode < 0) {
            exitCode = code;
            time.close();
            if (code == ExitCode.CONTROLLER_GONE || code == ExitCode.TERMINATED) {
                leaveSpool();
            }
            shipping.spool().close();
            events.ended();
        }
    }

    /** Names what this tester forgets although nobody has taken it: the run is over without. */
    private void tellWhatEndsHere() {
        long blocks = shipping.spool().unacknowledged();
        if (blocks > 0) {
            String loss = blocks + " blocks of samples with " + shipping.spool().unacknowledgedRows()
                    + " rows are lost: the run ended before they were acknowledged";
            LOG.warn("tester {}: {}", tester, loss);
            log(loss);
        }
    }

    /** Leaves what is not acknowledged in a file, for a process that resumes the run. */
    private void leaveSpool() {
        long blocks = shipping.spool().unacknowledged();
        Assignment assignment = duty.assignment();
        if (blocks == 0 || assignment == null) {
            return;
        }
        try {
            SpoolFile.write(
                    setup.spoolFolder(),
                    RunCredentials.runOf(token),
                    tester,
                    assignment.slot(),
                    shipping.spool(),
                    duty.isCutShort() ? null : duty.totals(),
                    clock);
            LOG.warn(
                    "tester {}: {} blocks of samples that the controller did not acknowledge are in {}",
                    tester,
                    blocks,
                    SpoolFile.of(setup.spoolFolder(), tester));
        } catch (IOException e) {
            LOG.error(
                    "tester {}: {} blocks of samples with {} rows that the controller did not acknowledge are lost, "
                            + "because they could not be saved in {}: {}. Acknowledged samples are safe",
                    tester,
                    blocks,
                    shipping.spool().unacknowledgedRows(),
                    SpoolFile.of(setup.spoolFolder(), tester),
                    DiskFailure.of(e, setup.spoolFolder()).found());
        }
    }
}
