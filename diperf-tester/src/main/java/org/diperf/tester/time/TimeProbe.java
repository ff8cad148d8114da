package org.diperf.tester.time;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.ProbeSchedule;
import org.diperf.core.clock.WallClock;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TimeExchange;
import org.diperf.core.wire.TimeServerSettings;
import org.jspecify.annotations.Nullable;

/**
 * Compares the tester's clock with the time server's: in bursts of questions, one before the tester is ready, one when
 * its load is over, and others in between. Where no datagram comes back, the stamps of the frames have to do.
 * Confined to the link's event loop.
 */
public final class TimeProbe implements AutoCloseable {

    /** A burst takes up to 140 ms; answers to it are waited for as long again and a little more. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private final int tester;
    private final NanoClock clock;
    private final EventLoop loop;
    private final Consumer<String> log;
    private final List<TimeExchange> answered = new ArrayList<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private TimeServerSettings service = TimeServerSettings.NONE;
    private @Nullable InetAddress host;
    private @Nullable TimeSocket socket;
    /** Whether the socket may be asked; until then everybody waits. */
    private boolean ready;

    private @Nullable ProbeSchedule schedule;
    /** Counts the changes of plan: what was to be done before the last one is not done. */
    private int turn;

    private int asked;
    private int answers;
    private int answersOfAll;
    private boolean silenceTold;
    private boolean over;

    /** @param log takes lines for the run's log */
    public TimeProbe(int tester, NanoClock clock, EventLoop loop, Consumer<String> log) {
        this.tester = tester;
        this.clock = clock;
        this.loop = loop;
        this.log = log;
    }

    /** Asks this server from now on, and a first burst at once. */
    public void server(InetAddress address, TimeServerSettings fresh) {
        if (over || fresh.port() == 0 || address.equals(host) && fresh.equals(service)) {
            return;
        }
        closeSocket();
        host = address;
        service = fresh;
        try {
            TimeSocket made = new TimeSocket(
                    tester, address, fresh, clock, WallClock.SYSTEM, exchange -> loop.execute(() -> take(exchange)));
            made.open(loop, () -> loop.execute(() -> ready(made)));
            socket = made;
        } catch (IOException e) {
            log.accept("Cannot query the time server over UDP (" + e.getMessage()
                    + "); comparing clocks over the connection only");
            return;
        }
        schedule =
                fresh.syncNanos() > 0 ? ProbeSchedule.every(fresh.syncNanos(), tester) : ProbeSchedule.adaptive(tester);
    }

    private void ready(TimeSocket made) {
        if (made == socket) {
            ready = true;
            burst(() -> {});
        }
    }

    /** Asks in quick succession, then continues with this; at once where nobody can be asked. */
    public void burst(Runnable then) {
        assert loop.inEventLoop();
        if (socket == null || schedule == null || over) {
            then.run();
            return;
        }
        waiting.add(then);
        if (!ready) {
            return;
        }
        schedule.burstNow(clock.nanoTime());
        asked = 0;
        answers = 0;
        int planned = ++turn;
        var unused = loop.schedule(() -> tellWaiting(planned), PATIENCE_NANOS, TimeUnit.NANOSECONDS);
        turn(planned);
    }

    private void turn(int planned) {
        if (planned != turn || over || socket == null || schedule == null) {
            return;
        }
        long now = clock.nanoTime();
        long waitNanos = schedule.nextNanos(now) - now;
        if (waitNanos <= 0) {
            socket.ask();
            schedule.sent(now);
            asked++;
            waitNanos = Math.max(0, schedule.nextNanos(now) - clock.nanoTime());
        }
        var unused = loop.schedule(() -> turn(planned), waitNanos, TimeUnit.NANOSECONDS);
    }

    private void take(TimeExchange exchange) {
        if (schedule != null) {
            schedule.answered(exchange.exchange(), clock.nanoTime());
        }
        if (answered.size() < Message.Exchanges.MAX) {
            answered.add(exchange);
        }
        answersOfAll++;
        answers++;
        if (answers == asked && asked == ProbeSchedule.BURST) {
            tellWaiting(turn);
        }
    }

    /** Goes on with those who wait for the first burst of this turn. */
    private void tellWaiting(int planned) {
        if (planned != turn) {
            return;
        }
        if (answersOfAll == 0 && !silenceTold) {
            silenceTold = true;
            log.accept("The time server does not respond over UDP on port " + service.port()
                    + "; comparing clocks over the connection only, which is less accurate");
        }
        List<Runnable> next = List.copyOf(waiting);
        waiting.clear();
        next.forEach(Runnable::run);
    }

    /** Returns the answers that came since the last time; empty where there are none. */
    public List<TimeExchange> takeAnswered() {
        List<TimeExchange> taken = List.copyOf(answered);
        answered.clear();
        return taken;
    }

    private void closeSocket() {
        ready = false;
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }

    @Override
    public void close() {
        over = true;
        closeSocket();
    }
}
