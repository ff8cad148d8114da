package org.diperf.tester.link;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TimeExchange;
import org.diperf.core.wire.TimeService;
import org.jspecify.annotations.Nullable;

/**
 * Compares the tester's clock with the time server's: in bursts of questions, one before the tester is ready, one when
 * its load is over, and others in between. Where no datagram comes back, the stamps of the frames have to do.
 * Confined to the link's event loop.
 */
final class TimeProbe implements AutoCloseable {

    private static final int QUESTIONS = 8;
    private static final long APART_MILLIS = 10;
    private static final long PATIENCE_MILLIS = 300;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final int tester;
    private final NanoClock clock;
    private final EventLoop loop;
    private final Consumer<String> log;
    private final List<TimeExchange> answered = new ArrayList<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private TimeService service = TimeService.NONE;
    private @Nullable InetAddress host;
    private @Nullable TimeSocket socket;
    private int burst;
    private int asked;
    private int answers;
    private boolean underWay;
    private boolean silenceTold;
    private boolean over;

    /** @param log takes lines for the run's log */
    TimeProbe(int tester, NanoClock clock, EventLoop loop, Consumer<String> log) {
        this.tester = tester;
        this.clock = clock;
        this.loop = loop;
        this.log = log;
    }

    /** Asks this server from now on, and a first burst at once. */
    void server(InetAddress address, TimeService fresh) {
        if (over || fresh.port() == 0 || address.equals(host) && fresh.equals(service)) {
            return;
        }
        closeSocket();
        host = address;
        service = fresh;
        try {
            socket = new TimeSocket(
                    tester, address, fresh, clock, WallClock.SYSTEM, exchange -> loop.execute(() -> take(exchange)));
        } catch (IOException e) {
            log.accept("The time server cannot be asked by UDP (" + e.getMessage()
                    + "); clocks are compared by the connection alone");
            return;
        }
        burst(() -> {});
        next();
    }

    /** Asks in quick succession, then goes on with this; at once where nobody can be asked. */
    void burst(Runnable then) {
        assert loop.inEventLoop();
        if (socket == null || over) {
            then.run();
            return;
        }
        waiting.add(then);
        underWay = true;
        burst++;
        asked = 0;
        answers = 0;
        ask(burst);
    }

    private void ask(int ofBurst) {
        TimeSocket open = socket;
        if (ofBurst != burst || open == null) {
            return;
        }
        open.ask();
        asked++;
        boolean more = asked < QUESTIONS;
        // A little unevenness, so that testers do not ask in step.
        long micros = more
                ? TimeUnit.MILLISECONDS.toMicros(APART_MILLIS)
                        + ThreadLocalRandom.current().nextLong(1_000)
                : TimeUnit.MILLISECONDS.toMicros(PATIENCE_MILLIS);
        var unused = loop.schedule(() -> afterQuestion(ofBurst, more), micros, TimeUnit.MICROSECONDS);
    }

    private void afterQuestion(int ofBurst, boolean more) {
        if (more) {
            ask(ofBurst);
        } else if (ofBurst == burst) {
            end();
        }
    }

    private void take(TimeExchange exchange) {
        if (answered.size() < Message.Exchanges.MAX) {
            answered.add(exchange);
        }
        if (++answers == QUESTIONS && asked == QUESTIONS) {
            end();
        }
    }

    private void end() {
        if (!underWay) {
            return;
        }
        underWay = false;
        burst++;
        if (answers == 0 && !silenceTold) {
            silenceTold = true;
            log.accept("The time server does not answer by UDP at port " + service.port()
                    + "; clocks are compared by the connection alone, which is less exact");
        }
        List<Runnable> next = List.copyOf(waiting);
        waiting.clear();
        next.forEach(Runnable::run);
    }

    private void next() {
        TimeSocket current = socket;
        long periodNanos = service.syncNanos() > 0 ? service.syncNanos() : PERIOD_NANOS;
        var unused = loop.schedule(
                () -> {
                    if (socket == current && !over) {
                        burst(() -> {});
                        next();
                    }
                },
                periodNanos,
                TimeUnit.NANOSECONDS);
    }

    /** Gives the answers that came since the last time; empty where there are none. */
    List<TimeExchange> takeAnswered() {
        List<TimeExchange> taken = List.copyOf(answered);
        answered.clear();
        return taken;
    }

    private void closeSocket() {
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
