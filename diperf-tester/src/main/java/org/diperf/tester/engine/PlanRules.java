package org.diperf.tester.engine;

import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.journey.JourneyRun;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.CallSlot;
import org.diperf.tester.engine.loop.LoopRules;
import org.diperf.tester.engine.loop.SlotJourney;
import org.diperf.tester.engine.loop.Stages;
import org.diperf.tester.engine.stage.StageSequencer;

/** Lets a loop follow the plan and the journeys of the experiment. */
record PlanRules(RunSetup setup) implements LoopRules {

    @Override
    public Stages stages(CallLoop loop, Runnable whenOver) {
        return new StageSequencer(loop, setup, whenOver);
    }

    @Override
    public SlotJourney journey(CallLoop loop, CallSlot slot) {
        return new JourneyRun(loop, slot, setup.script());
    }
}
