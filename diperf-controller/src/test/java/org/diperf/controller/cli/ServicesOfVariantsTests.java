package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ServicesOfVariantsTests {

    @TempDir
    Path folder;

    @Test
    void aServiceThatDoesNotStartIsTriedAndNamedOnceForAllTrialsOfItsVariant() throws Exception {
        Path starts = folder.resolve("starts");
        Path file = Files.writeString(folder.resolve("variants.yml"), """
                name: variants
                target: http://127.0.0.1:9/
                testbed: { kind: in-process }
                load: { clients: 1, run-for: 1s }
                service: { start: 'true', ready: 'log: never said' }
                variants:
                  one: { service.start: 'echo one >> STARTS; echo no model one; exit 4' }
                  two: { service.start: 'echo two >> STARTS; echo no model two; exit 4' }
                trials: { count: 3, order: interleaved }
                """.replace("STARTS", starts.toString()));

        Outcome outcome = Outcome.of(
                "run", file.toString(), "--out", folder.resolve("out").toString(), "--no-report");

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isEqualTo(3);
        assertThat(Files.readAllLines(starts)).containsExactlyInAnyOrder("one", "two");
        String said = outcome.out() + outcome.err();
        assertThat(said.split("exit with code 4", -1)).as(said).hasSize(3);
        assertThat(said).contains("only 0 of 6 runs", "its remaining trials were not started");
    }
}
