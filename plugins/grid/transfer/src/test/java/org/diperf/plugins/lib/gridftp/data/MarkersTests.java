package org.diperf.plugins.lib.gridftp.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class MarkersTests {

    @Test
    void aNumberIsReadByItsName() {
        String name = "Stripe Index:";
        assertThat(Markers.number(" Stripe Index: 3", name)).isEqualTo(3);
        assertThat(Markers.number("Stripe Index:12  ", name)).isEqualTo(12);
        assertThat(List.of(
                        " Stripe Index:",
                        " Stripe Index: 3x",
                        " Stripe Index: -3",
                        " Total Stripe Count: 1",
                        " Stripe Index: 1234567890123456789",
                        ""))
                .allMatch(line -> Markers.number(line, name) == -1);
    }

    @Test
    void rangesAreAddedAndWhatIsNoneIsSkipped() {
        RangeSet stored = new RangeSet();
        Markers.ranges("Range Marker 0-100,200-300", stored);
        assertThat(stored).hasToString("0-100,200-300");
        Markers.ranges("Range Marker 100-200", stored);
        assertThat(stored).hasToString("0-300");
        Markers.ranges("Range Marker -5,7-,12345678901234567890-1,1-12345678901234567890, 400-500,6", stored);
        assertThat(stored).hasToString("0-300,400-500");
        // Empty, and the wrong way round.
        Markers.ranges("Range Marker 350-350,390-360", stored);
        assertThat(stored).hasToString("0-300,400-500");
        Markers.ranges("", stored);
        assertThat(stored).hasToString("0-300,400-500");
    }
}
