package org.diperf.plugins.emulated;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CommandsTests {

    @Test
    void aCommandThatTakesTooLongIsEndedWithWhatItStarted() {
        // The shell waits for the sleep, which holds the output open.
        assertThatThrownBy(() -> Commands.run(List.of("sh", "-c", "sleep 60; true"), Duration.ofSeconds(1)))
                .isInstanceOf(IOException.class)
                .hasMessage("sh -c sleep 60; true: took longer than 1s; ");
    }

    @Test
    void aCommandThatFailsIsToldWithWhatItSaid() throws Exception {
        Commands.run(List.of("sh", "-c", "echo well"));
        assertThatThrownBy(() -> Commands.run(List.of("sh", "-c", "echo no such link; exit 3")))
                .isInstanceOf(IOException.class)
                .hasMessage("sh -c echo no such link; exit 3: no such link");
    }
}
