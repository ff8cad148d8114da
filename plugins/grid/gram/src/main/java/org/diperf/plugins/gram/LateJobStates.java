package org.diperf.plugins.gram;

import io.netty.buffer.ByteBuf;
import java.util.Optional;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Recorder;

/**
 * Counts states of jobs whose calls have ended: each is told by a connection of its own, and one that was slower than the last state's comes
 * too late for the call's times.
 */
final class LateJobStates implements Listener.Subscriber {

    static final Metric STATE = new Metric(
            "late.state",
            "state",
            "GRAM number of a state (1 pending, 2 active) that was reported after the call had ended and is "
                    + "missing from the call's times");

    private final CallerIdentity caller;
    private final Recorder recorder;

    LateJobStates(CallerIdentity caller, Recorder recorder) {
        this.caller = caller;
        this.recorder = recorder;
    }

    @Override
    public void told(String message) {
        try {
            Optional<JobState> state = JobState.of(GramMessage.number(GramReply.read(message), "status"));
            if (state.isPresent() && !state.get().isLast()) {
                recorder.observe(STATE, caller.clock().nanoTime(), state.get().code());
            }
        } catch (GramMessage.MalformedMessageException | GramReply.WrongVersionException e) {
            // The call, which would have failed by it, has ended.
        }
    }

    @Override
    public void output(String name, ByteBuf bytes) {
        // A job's output comes before its end, or not at all.
    }
}
