package org.diperf.core.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.diperf.core.expression.Comparison.Measure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
class ComparisonTests {

    private static boolean holds(String text, Measure quantity, String found) {
        Comparison plain = Comparison.parse(text).in(quantity);
        return plain.holds(found, plain.right());
    }

    @ParameterizedTest
    @CsvSource({
        "100ms..0.5s, TIME, 100000000, true",
        "100ms..0.5s, TIME, 500000000, true",
        "100ms..0.5s, TIME, 500000001, false",
        "100ms .. 500ms, TIME, 99999999, false",
        "0..1ms, TIME, 7, true",
        "1KiB..2KiB, SIZE, 1500, true",
        "1KiB..2KiB, SIZE, 3, false",
        "100..200, SIZE, 150, true",
        "< 1ms, TIME, 999999, true",
        "5ms, TIME, 5000000, true",
    })
    void quantitiesAreComparedWithTheirUnits(String text, Measure quantity, String found, boolean holds) {
        assertThat(holds(text, quantity, found)).isEqualTo(holds);
    }

    /** As nanoseconds, which nobody means, it would fail every call. */
    @Test
    void aRangeOfTimesWithoutUnitsIsRefused() {
        assertThatThrownBy(() -> Comparison.parse("100..500").in(Measure.TIME))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got '100'");
        assertThatThrownBy(() -> Comparison.parse("100ms..").in(Measure.TIME)).hasMessageContaining("got ''");
    }

    @Test
    void aTextWithDotsIsATextWhereNoQuantityIsMeant() {
        Comparison text = Comparison.parse("a..b");
        assertThat(text.holds("a..b", text.right())).isTrue();
        Comparison range = Comparison.parse("200..299");
        assertThat(range.holds("204", range.right())).isTrue();
    }
}
