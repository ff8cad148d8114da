package org.diperf.tester.engine.loop;

/** Decides when the iterations of a loop begin and what calls they have. */
public interface LoopRules {

    /**
     * Makes what leads a loop through the stages of its plan.
     *
     * @param whenOver run when a plan that does not grow is over
     */
    Stages stages(CallLoop loop, Runnable whenOver);

    /** Makes the journey of a slot, of an experiment that has journeys. */
    SlotJourney journey(CallLoop loop, CallSlot slot);
}
