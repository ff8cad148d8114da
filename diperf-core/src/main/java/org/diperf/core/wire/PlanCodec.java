package org.diperf.core.wire;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Lives;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.Numbering;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.Think;

/** Lays out plans. The numbers that stand for alternatives are the wire's own, not an enum's order. */
final class PlanCodec {

    private static final List<OpenLoad.Arrivals> ARRIVALS =
            List.of(OpenLoad.Arrivals.CONSTANT, OpenLoad.Arrivals.POISSON);
    private static final List<Targets.Assign> ASSIGNS =
            List.of(Targets.Assign.ROUND_ROBIN, Targets.Assign.ONE_TO_ONE, Targets.Assign.ALL_TO_ALL);
    private static final List<Targets.Per> PERS = List.of(Targets.Per.CLIENT, Targets.Per.TESTER, Targets.Per.HOST);

    private static final List<OnFailure> ON_FAILURE =
            List.of(OnFailure.CONTINUE, OnFailure.RETIRE_CLIENT, OnFailure.ABORT);

    private static final List<Numbering.Placement> PLACEMENTS =
            List.of(Numbering.Placement.ROUND_ROBIN, Numbering.Placement.FILL);

    private static final int STAGGERED = 0;
    private static final int RAMP = 1;
    private static final int CLOSED = 0;
    private static final int OPEN = 1;
    private static final int FIXED = 0;
    private static final int EXPONENTIAL = 1;
    private static final int UNIFORM = 2;

    private PlanCodec() {}

    static void write(Plan plan, WireOutput out) {
        out.int64(plan.seed());
        out.int32(plan.testers());
        out.list(plan.targets().each(), target -> out.text(target.toString()));
        out.int8(ASSIGNS.indexOf(plan.targets().assign()));
        out.int8(PERS.indexOf(plan.targets().per()));
        out.list(plan.stages(), stage -> writeStage(stage, out));
        out.bool(plan.grows());
        out.int8(PLACEMENTS.indexOf(plan.numbering().placement()));
        out.int32(plan.numbering().clients());
        out.int32(plan.numbering().firstClient());
        out.int32(plan.numbering().firstSlot());
    }

    static void writeStage(Stage stage, WireOutput out) {
        out.int32(stage.number());
        out.int64(stage.startNanos());
        writeLoad(stage.load(), out);
    }

    static Plan read(WireInput in) throws WireException {
        long seed = in.int64();
        int testers = in.int32();
        List<URI> targets = in.list(() -> uri(in.text()));
        Targets.Assign assign = ASSIGNS.get(in.choice(ASSIGNS.size()));
        Targets.Per per = PERS.get(in.choice(PERS.size()));
        List<Stage> stages = in.list(() -> readStage(in));
        return new Plan(seed, testers, new Targets(targets, assign, per), stages, in.bool(), readNumbering(in));
    }

    private static Numbering readNumbering(WireInput in) throws WireException {
        return new Numbering(PLACEMENTS.get(in.choice(PLACEMENTS.size())), in.int32(), in.int32(), in.int32());
    }

    private static URI uri(String text) throws WireException {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new WireException("Wanted a target's URI, found '" + text + "'", e);
        }
    }

    static Stage readStage(WireInput in) throws WireException {
        int number = in.int32();
        long startNanos = in.int64();
        if (number < 0 || startNanos < 0) {
            throw new WireException(
                    "Wanted a stage with number and start from 0, found " + number + " at " + startNanos + " ns");
        }
        return new Stage(number, readLoad(in), startNanos);
    }

    private static void writeLoad(Load load, WireOutput out) {
        if (load instanceof ClosedLoad closed) {
            out.int8(CLOSED);
            out.int32(closed.clients());
            writeLives(closed.lives(), out);
            writeThink(closed.think(), out);
            out.int64(closed.quota().calls());
            out.int64(closed.quota().bytes());
            out.int8(ON_FAILURE.indexOf(closed.onFailure()));
            out.int64(closed.timeoutNanos());
        } else if (load instanceof OpenLoad open) {
            out.int8(OPEN);
            out.decimal(open.fromPerSecond());
            out.decimal(open.perSecond());
            out.int8(ARRIVALS.indexOf(open.arrivals()));
            out.int64(open.rampNanos());
            out.int64(open.forNanos());
            out.int32(open.maxInFlight());
            out.int8(ON_FAILURE.indexOf(open.onFailure()));
            out.int64(open.timeoutNanos());
        } else {
            throw new IllegalArgumentException("Wanted a closed or an open load, found " + load);
        }
    }

    private static Load readLoad(WireInput in) throws WireException {
        if (in.choice(2) == CLOSED) {
            return new ClosedLoad(
                    in.int32(),
                    readLives(in),
                    readThink(in),
                    new Quota(in.int64(), in.int64()),
                    ON_FAILURE.get(in.choice(ON_FAILURE.size())),
                    in.int64());
        }
        return new OpenLoad(
                in.decimal(),
                in.decimal(),
                ARRIVALS.get(in.choice(ARRIVALS.size())),
                in.int64(),
                in.int64(),
                in.int32(),
                ON_FAILURE.get(in.choice(ON_FAILURE.size())),
                in.int64());
    }

    private static void writeLives(Lives lives, WireOutput out) {
        if (lives instanceof Lives.Staggered staggered) {
            out.int8(STAGGERED);
            out.int64(staggered.startEveryNanos());
            out.int64(staggered.runForNanos());
        } else if (lives instanceof Lives.Ramp ramp) {
            out.int8(RAMP);
            out.int32(ramp.from());
            out.int32(ramp.to());
            out.int64(ramp.forNanos());
        } else {
            throw new IllegalArgumentException("Wanted staggered lives or a ramp, found " + lives);
        }
    }

    private static Lives readLives(WireInput in) throws WireException {
        return in.choice(2) == STAGGERED
                ? new Lives.Staggered(in.int64(), in.int64())
                : new Lives.Ramp(in.int32(), in.int32(), in.int64());
    }

    private static void writeThink(Think think, WireOutput out) {
        if (think instanceof Think.Fixed fixed) {
            out.int8(FIXED);
            out.int64(fixed.fixedNanos());
        } else if (think instanceof Think.Exponential exponential) {
            out.int8(EXPONENTIAL);
            out.int64(exponential.meanNanos());
        } else if (think instanceof Think.Uniform uniform) {
            out.int8(UNIFORM);
            out.int64(uniform.lowNanos());
            out.int64(uniform.highNanos());
        } else {
            throw new IllegalArgumentException("Wanted a fixed, exponential or uniform pause, found " + think);
        }
    }

    private static Think readThink(WireInput in) throws WireException {
        int kind = in.choice(3);
        long first = in.int64();
        if (kind == FIXED) {
            // The one without a pause is told by identity.
            return first == 0 ? Think.NONE : new Think.Fixed(first);
        }
        return kind == EXPONENTIAL ? new Think.Exponential(first) : new Think.Uniform(first, in.int64());
    }
}
