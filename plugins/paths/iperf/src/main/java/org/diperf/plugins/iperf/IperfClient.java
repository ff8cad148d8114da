package org.diperf.plugins.iperf;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.InFlightCall;
import org.jspecify.annotations.Nullable;

/** One client: a call is a test. Confined to its owner's loop; the test lives on the loop that holds its sockets. */
final class IperfClient implements AsyncClient {

    /** iperf3 closes its port after each test and opens it again, within so long. */
    private static final long REOPENS_NANOS = 1_000_000_000L;

    private static final long TRY_AGAIN_MILLIS = 10;

    private final IperfSession session;
    private final InFlightCall inFlight = new InFlightCall();

    // Confined to the loop of the sockets.
    private @Nullable ClientTest test;
    private @Nullable ClientTest last;
    private int lastTarget = -1;
    private long lastEndNanos;
    /** Until the server has left the test before, and between two attempts to reach it. */
    private boolean waiting;

    IperfClient(IperfSession session) {
        this.session = session;
    }

    @Override
    public void open(Context context) {
        inFlight.open(session.loops().of(context.loop()));
    }

    @Override
    public void call(Call begun) {
        inFlight.begin(begun);
        int target = begun.targetIndex();
        inFlight.loop().toSockets(() -> {
            long beganNanos = session.clock().nanoTime();
            ClientTest before = last;
            if (before == null || lastTarget != target) {
                begin(target, beganNanos);
            } else {
                waiting = true;
                before.whenLeft(() -> beginIfWaiting(target, beganNanos));
            }
        });
    }

    private void beginIfWaiting(int target, long beganNanos) {
        if (waiting) {
            waiting = false;
            begin(target, beganNanos);
        }
    }

    private void begin(int target, long beganNanos) {
        EventLoop loop = inFlight.loop().eventLoop();
        ClientTest begun = new ClientTest(
                session.settings(),
                session.addresses(target).first(),
                loop,
                session.recorder(),
                session.clock(),
                beganNanos);
        test = begun;
        begun.start(report -> {
            test = null;
            boolean justAfter = lastTarget == target && session.clock().nanoTime() - lastEndNanos < REOPENS_NANOS;
            if (report.failure() != null && begun.isNotYetHeard() && justAfter && !begun.isCancelled()) {
                waiting = true;
                loop.schedule(() -> beginIfWaiting(target, beganNanos), TRY_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
                return;
            }
            last = begun;
            lastTarget = target;
            lastEndNanos = session.clock().nanoTime();
            inFlight.loop().toOwner(() -> report(report));
        });
    }

    private void report(TestReport report) {
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        ending.bytes(report.bytes());
        ending.firstOnConnection();
        report.metrics().forEach(ending::metric);
        inFlight.end(ending, report.failure());
    }

    @Override
    public void cancel(Call cancelled) {
        inFlight.loop().toSockets(() -> {
            ClientTest running = test;
            if (running != null) {
                running.cancel();
            } else if (waiting) {
                waiting = false;
                inFlight.loop().toOwner(() -> report(TestReport.failed(Failure.ofService("cancelled"))));
            }
        });
    }

    @Override
    public void close() {
        inFlight.close(() -> {
            waiting = false;
            ClientTest running = test;
            if (running != null) {
                running.cancel();
            }
        });
    }
}
