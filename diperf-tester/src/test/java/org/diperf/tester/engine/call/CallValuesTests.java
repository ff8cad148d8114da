package org.diperf.tester.engine.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.plan.Rank;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Fault;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Parameters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallValuesTests {

    private final Memory memory = new Memory(3 << 20);
    private CallScript script;

    @BeforeEach
    void open() throws Exception {
        Map<String, String> captures = Map.of("a", "regex:.*", "b", "regex:.*");
        script = CallScript.open(
                new Script(
                        List.of(new RequestSettings("r", 1, "", "", Map.of(), captures, Map.of(), false)),
                        List.of(),
                        List.of(),
                        List.of(),
                        Secrets.NONE),
                List.of(Parameters.read(List.of(), Map.of(), 1)),
                Rank.ONLY,
                1);
    }

    @Test
    void whatClientsKeepIsCountedTogetherAndAsLongAsItIsKept() {
        CallValues one = new CallValues(script, 0, 2, memory);
        CallValues other = new CallValues(script, 1, 2, memory);
        one.keep("a", "x".repeat(1 << 20));
        assertThat(memory.kept()).isEqualTo(2 << 20);
        assertThatThrownBy(() -> other.keep("b", "y".repeat(1 << 20)))
                .satisfies(thrown -> assertThat(Failure.of(thrown)).isEqualTo(Memory.FULL));
        assertThat(other.has("b")).isFalse();
        one.keep("a", "short");
        assertThat(memory.kept()).isEqualTo(10);
        other.keep("b", "y".repeat(1 << 20));
        assertThat(other.value("b")).hasSize(1 << 20);
        other.forget();
        assertThat(memory.kept()).isEqualTo(10);
        assertThat(other.has("b")).isFalse();
    }

    @Test
    void aValueThatGrowsWithoutEndIsTheExperimentsFault() {
        CallValues values = new CallValues(script, 0, 2, new Memory(Long.MAX_VALUE));
        assertThatThrownBy(() -> values.keep("a", "x".repeat((1 << 20) + 1))).satisfies(thrown -> {
            assertThat(Failure.of(thrown).fault()).isEqualTo(Fault.EXPERIMENT);
            assertThat(Failure.of(thrown).kind()).isEqualTo("value of a longer than 1048576 characters");
        });
    }
}
