package org.diperf.analyzer.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class NumbersTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0",
                "0.25|0.250",
                "0.0001|1.0e-04",
                "1|1.00",
                "9.996|10.0",
                "12.345|12.3",
                "999.96|1,000",
                "123456.7|123,457",
                "-2.5|-2.50",
                "NaN|–",
                "Infinity|–"
            })
    void columnsHaveThreeOrFourDigits(double value, String written) {
        assertThat(Numbers.plain(value)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0 ms",
                "0.24|240 µs",
                "0.9994|999 µs",
                "1|1.00 ms",
                "69.44|69.4 ms",
                "412|412 ms",
                "1030|1.03 s",
                "119000|119 s",
                "600000|10.0 min",
                "NaN|–"
            })
    void timesChooseTheirUnit(double millis, String written) {
        assertThat(Numbers.time(millis)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"1|1 s", "0.5|500 ms", "3.5|3.5 s", "61|61 s", "8|8 s", "0.25|250 ms", "100|100 s", "1.25|1.25 s"})
    void lengthsCarryNoIdleZeros(double seconds, String written) {
        assertThat(Numbers.length(seconds)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0 s",
                "500000000|500 ms",
                "90000000000|90 s",
                "600000000000|10 min",
                "7200000000000|2 h",
                "1500|1,500 ns",
                "1000|1 µs"
            })
    void plannedLengthsAreExact(long nanos, String written) {
        assertThat(Numbers.span(nanos)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|0:00", "65.4|1:05", "7265|2:01:05", "-2|-0:02", "-0.2|0:00", "NaN|–"})
    void instantsAreClockTimes(double seconds, String written) {
        assertThat(Numbers.clock(seconds)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0 %",
                "1|100 %",
                "0.00017|0.017 %",
                "0.0000000001|< 0.0001 %",
                "0.99999|> 99.99 %",
                "0.9995|99.95 %",
                "0.0417|4.17 %",
                "0.5|50.0 %"
            })
    void sharesAreNeverRoundedToNoneOrAll(double fraction, String written) {
        assertThat(Numbers.share(fraction)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|0 B", "999|999 B", "1024|1.02 kB", "4000000|4.00 MB", "NaN|–"})
    void sizesAreDecimal(double bytes, String written) {
        assertThat(Numbers.bytes(bytes)).isEqualTo(written);
    }

    @Test
    void wordsAgreeWithTheirCounts() {
        assertThat(Numbers.count(1, "client")).isEqualTo("1 client");
        assertThat(Numbers.count(2000, "client")).isEqualTo("2,000 clients");
        assertThat(Numbers.count(0, "client")).isEqualTo("0 clients");
    }
}
