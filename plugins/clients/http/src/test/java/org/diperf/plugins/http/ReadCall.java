package org.diperf.plugins.http;

import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.ProbedCall;
import org.diperf.core.spi.Answer;
import org.jspecify.annotations.Nullable;

/** A call of which somebody reads the answer. */
final class ReadCall extends ProbedCall {

    private final boolean also;
    private int answers;
    private @Nullable String status;
    private @Nullable String body;

    /**
     * @param probe remembers how it ended
     * @param also whether the answer is read even if the call fails
     */
    ReadCall(CallProbe probe, boolean also) {
        super(probe);
        this.also = also;
    }

    @Override
    public boolean wantsAnswer() {
        return true;
    }

    @Override
    public boolean wantsFailedAnswer() {
        return also;
    }

    @Override
    public void answer(Answer answer) {
        answers++;
        status = answer.status();
        body = answer.body();
    }

    int answers() {
        return answers;
    }

    @Nullable
    String status() {
        return status;
    }

    @Nullable
    String body() {
        return body;
    }
}
