package org.diperf.plugins.lib.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Fault;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramStartExceptionTests {

    @ParameterizedTest
    @CsvSource({
        "2, EXPERIMENT, no such file",
        "8, EXPERIMENT, not an executable",
        "11, GENERATOR, too many processes",
        "12, GENERATOR, not enough memory",
        "24, GENERATOR, too many open files",
        "5, GENERATOR, input/output error",
    })
    void theSystemsErrorSaysWhoseFaultItWas(int error, Fault fault, String words) {
        Program program = new Program(List.of("/bin/x"), Map.of(), new byte[0], (bytes, length) -> {});
        ProgramStartException thrown = ProgramStartException.of(program, error, "input/output error");
        assertThat(thrown.failure().fault()).isEqualTo(fault);
        assertThat(thrown).hasMessage("cannot start /bin/x: " + words);
    }
}
