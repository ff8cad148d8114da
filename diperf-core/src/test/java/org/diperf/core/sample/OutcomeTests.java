package org.diperf.core.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutcomeTests {

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aWordSaysWhoseFaultAFailureWasAndPeopleSeeTheCauseAlone(Fault fault) {
        String word = Outcome.ofFailure(new Failure(fault, "too many processes"));
        assertThat(Outcome.fault(word)).isEqualTo(fault);
        assertThat(Outcome.cause(word)).isEqualTo("too many processes");
        assertThat(Outcome.isFailure(word)).isTrue();
    }

    @Test
    void theFaultOfAStepIsThatOfTheCallThatFailsByIt() {
        String step = Outcome.ofFailure(Failure.ofGenerator("too many open files"));
        String call = Outcome.within("log-in", step);
        assertThat(Outcome.fault(call)).isEqualTo(Fault.GENERATOR);
        assertThat(Outcome.cause(call)).isEqualTo("log-in: too many open files");
    }

    @Test
    void whatCanBeDoneAboutAFailureIsToldApartFromItsCause() {
        Failure failure = Failure.ofExperiment("no such file").remedied("correct\nthe path");
        String word = Outcome.ofFailure(failure);
        assertThat(Outcome.cause(word)).isEqualTo("no such file");
        assertThat(Outcome.fault(word)).isEqualTo(Fault.EXPERIMENT);
        assertThat(Outcome.remedy(word)).isEqualTo("correct the path");
        assertThat(Outcome.remedy(Outcome.within("log-in", word))).isEqualTo("correct the path");
        assertThat(Outcome.cause(Outcome.within("log-in", word))).isEqualTo("log-in: no such file");
        assertThat(Outcome.remedy("status 503")).isEmpty();
        assertThat(Outcome.remedy(Outcome.ofFailure(failure.remedied("x".repeat(201)))))
                .hasSize(200);
    }

    @Test
    void aClientCannotWriteAMarkItself() {
        assertThat(Outcome.ofFailure("\u0001status 503")).isEqualTo("status 503");
        assertThat(Outcome.ofFailure("status 503\u0003restart it")).isEqualTo("status 503");
        assertThat(Outcome.ofFailure("\u0003restart it")).isEqualTo("failed");
    }

    @Test
    void aBlockKeepsWhoseFaultItWas() throws Exception {
        CallWriter writer = new CallWriter(1, 10, 0);
        String[] words = {
            Outcome.OK,
            Outcome.ofFailure(Failure.ofService("status 503")),
            Outcome.ofFailure(Failure.ofGenerator("not enough memory")),
            Outcome.ofFailure(Failure.ofExperiment("no such file").remedied("correct the path"))
        };
        for (String word : words) {
            writer.add(new TestCall(1_000, 0, 500).outcome(word));
        }
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength()).order(ByteOrder.LITTLE_ENDIAN);
        writer.encode(block, 1);
        block.flip();
        Block header = Block.read(block);
        assertThat(Calls.outcomeWords(block, header)).containsExactly(words);
        Calls calls = new Calls();
        calls.decode(block, header);
        assertThat(calls.outcomes()).containsExactly("ok", "status 503", "not enough memory", "no such file");
        assertThat(calls.outcome(2)).isEqualTo("not enough memory");
    }
}
