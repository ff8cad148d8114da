package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters of the name server. */
@Timeout(20)
class FilterTests {

    private static final Attributes SENSOR =
            Attributes.of("name", "a.b:8060", "hostType", "sensor", "port", "8060", "ipAddress", "10.0.0.1,10.0.1.1");

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "name=a.b:8060; true",
                "(name=a.b:8060); true",
                "( name=a.b:8060 ); true",
                "(name=a.b:806); false",
                "(port=80*); true",
                "(port=*60); true",
                "(port=8*6*); true",
                "(port=*); true",
                "(none=*); false",
                "(port<=8060); true",
                "(port<=8059); false",
                "(port>=8061); false",
                "(port~=8060); true",
                "(!(port=80*)); false",
                "(&(hostType=sensor)(|((port=8030))(!(port=81*)))); true",
                "(&(port=8060)(ipAddress=*10.0.1.1*)); true",
                "(& (hostType=sensor) (port=1) ); false",
                "(|(port=1)(port=2)); false",
                "(&); true",
                "(|); false",
                // Of NWS's server the end of another name would do.
                "(Type=sensor); false",
            })
    void aFilterFitsWhatItSays(String filter, boolean fits) {
        assertThat(Filter.read(filter).matches(SENSOR)).isEqualTo(fits);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "(", "()", "name", "(name)", "(name=a", "(name<a)", "(=a)", "(name=a)b", "(!", "(name=a))"})
    void whatIsNoFilterIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Filter.read(text)).withMessageContaining("expected");
    }

    @Test
    void depthAndLengthAreBounded() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.read("(!".repeat(2000) + "(a=b)" + ")".repeat(2000)));
        assertThatIllegalArgumentException().isThrownBy(() -> Filter.read("(a=" + "b".repeat(5000) + ")"));
    }

    @Test
    void aPatternOfManyStarsTakesNoLongerThanItsLengthTimesTheValues() {
        String value = "a".repeat(Attributes.MAX_CHARS - 10);
        assertThat(Filter.fits(value, "*a".repeat(2000) + "b")).isFalse();
    }
}
