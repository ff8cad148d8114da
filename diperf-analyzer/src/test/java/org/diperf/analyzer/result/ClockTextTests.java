package org.diperf.analyzer.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.diperf.analyzer.result.Clocks.Note;
import org.diperf.core.clock.ClockEvent;
import org.junit.jupiter.api.Test;

class ClockTextTests {

    @Test
    void oneChangeOfARouteIsToldInFull() {
        assertThat(ClockText.ofRoutes(List.of(new Note(3, ClockEvent.Kind.ROUTE_CHANGE, 1, 1.2, -2e6))))
                .isEqualTo("the clock of tester 3 is reached over a route whose round-trip time fell by 2.0 ms, so its "
                        + "error may have changed by half of that, within the bound, between 1.0 s and 1.2 s");
    }

    @Test
    void whatChangesLessThanAMillisecondOfARoundTripIsNotToldToReaders() {
        assertThat(ClockText.isWorthTelling(new Note(1, ClockEvent.Kind.ROUTE_CHANGE, 0, 1.4, -139e3)))
                .isFalse();
        assertThat(ClockText.isWorthTelling(new Note(1, ClockEvent.Kind.ROUTE_CHANGE, 0, 1.4, -1e6)))
                .isTrue();
        assertThat(ClockText.isWorthTelling(new Note(1, ClockEvent.Kind.STEP, 0, 1.4, 5e3)))
                .isTrue();
    }

    @Test
    void manyChangesOfRoutesAreOneSentence() {
        assertThat(ClockText.ofRoutes(List.of(
                        new Note(1, ClockEvent.Kind.ROUTE_CHANGE, 1, 1, 80e3),
                        new Note(2, ClockEvent.Kind.ROUTE_CHANGE, 4.5, 5, -3e6),
                        new Note(1, ClockEvent.Kind.ROUTE_CHANGE, 7, 7, 90e3))))
                .isEqualTo(
                        "round-trip times to the time server changed 3 times for 2 testers, by up to 3.0 ms for tester 2 at 4.5 s; their clock errors may have changed by half of that, within their bounds");
    }
}
