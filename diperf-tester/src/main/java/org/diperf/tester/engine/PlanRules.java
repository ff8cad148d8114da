package org.diperf.tester.engine;

/** Lets a loop follow the plan and the journeys of the experiment. */
record PlanRules(RunSetup setup) implements LoopRules {

    @Override
    public Stages stages(CallLoop loop, Runnable whenOver) {
        return new StageLine(loop, setup, whenOver);
    }

    @Override
    public SlotJourney journey(CallLoop loop, CallSlot slot) {
        return new JourneyRun(loop, slot, setup.script());
    }
}
