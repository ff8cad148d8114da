package org.diperf.tester.engine.call;

import java.util.Map;
import org.diperf.core.spi.Answer;

/** Sees what is said in calls, for somebody who looks at single calls: it costs too much for a load. */
public interface AnswerObserver {

    /**
     * Takes the answer to a call, ok or failed, before the call ends. Called on the thread of the client's owner.
     *
     * @param request number of the request among those of the experiment, those before the first call last
     * @param answer only valid during this call
     * @param captured values that were taken from it, by name
     */
    void answered(int request, Answer answer, Map<String, String> captured);

    /**
     * Takes what was said in a call that has just been recorded, without secrets. Called by the client's owner.
     *
     * @param request its number, as above
     * @param call its number among those of the client, from 0
     * @param said lines as in {@link org.diperf.core.sample.CallExchange}; empty where the client tells nothing
     */
    default void said(int request, long call, String said) {}
}
