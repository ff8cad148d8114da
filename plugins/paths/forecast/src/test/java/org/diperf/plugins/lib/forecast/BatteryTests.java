package org.diperf.plugins.lib.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.diperf.plugins.lib.forecast.Battery.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a computation of NWS's formulas by another program, {@code reference.py}, and what the forecasts are for. */
@Timeout(60)
class BatteryTests {

    private static final double RELATIVE = 1e-9;
    private static final int COLUMNS = Battery.PRIMARIES + Battery.DERIVED + 4;

    @Test
    void everyForecastIsThatOfTheReference() throws IOException {
        int compared = 0;
        String series = "";
        Battery battery = new Battery(Kind.NWS);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(BatteryTests.class.getResourceAsStream("forecasts.csv")),
                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] cells = line.split(",");
                if (!cells[0].equals(series)) {
                    series = cells[0];
                    battery = new Battery(Kind.NWS);
                }
                battery.take(Double.parseDouble(cells[1]));
                double[] expected = Arrays.stream(cells)
                        .skip(2)
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                double[] found = standing(battery);
                for (int i = 0; i < COLUMNS; i++) {
                    double scale = Math.max(1, Math.abs(expected[i]));
                    assertThat(Math.abs(found[i] - expected[i]) / scale)
                            .as("%s, forecast %d after line %s", series, i, line.substring(0, 20))
                            .isLessThan(RELATIVE);
                    compared++;
                }
            }
        }
        assertThat(compared).isEqualTo(780 * COLUMNS);
    }

    private static double[] standing(Battery battery) {
        double[] all = new double[COLUMNS];
        for (int i = 0; i < Battery.PRIMARIES; i++) {
            all[i] = battery.primaryForecast(i);
        }
        for (int i = 0; i < Battery.DERIVED; i++) {
            all[Battery.PRIMARIES + i] = battery.derivedForecast(i);
        }
        all[COLUMNS - 4] = battery.forecast(true);
        all[COLUMNS - 3] = battery.forecast(false);
        all[COLUMNS - 2] = battery.error(true);
        all[COLUMNS - 1] = battery.error(false);
        return all;
    }

    private static Battery fed(Kind kind, int count, IntToDoubleFunction series) {
        Battery battery = new Battery(kind);
        for (int i = 0; i < count; i++) {
            battery.take(series.applyAsDouble(i));
        }
        return battery;
    }

    private static double leastPrimaryError(Battery battery) {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < Battery.PRIMARIES; i++) {
            least = Math.min(least, battery.primaryError(i, true));
        }
        return least;
    }

    @ParameterizedTest
    @ValueSource(strings = {"NWS", "FIXED"})
    void onASteadySeriesTheTotalIsNearlyAsGoodAsTheBestPrimary(Kind kind) {
        long seed = 21;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Battery battery = fed(kind, 5_000, i -> 100 + 5 * random.nextGaussian());
        assertThat(battery.error(true)).isLessThanOrEqualTo(1.05 * leastPrimaryError(battery));
    }

    /** Quiet times, which a mean forecasts best, and wandering ones, which the last value does. */
    @ParameterizedTest
    @ValueSource(strings = {"NWS", "FIXED"})
    void onASeriesThatChangesItsRegimeTheTotalIsBetterThanEveryPrimary(Kind kind) {
        long seed = 22;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        double[] level = {100};
        Battery battery = fed(kind, 8_000, i -> {
            boolean wanders = i / 1_000 % 2 == 1;
            level[0] += wanders ? 4 * random.nextGaussian() : 0;
            return level[0] + (wanders ? 0 : 4 * random.nextGaussian());
        });
        assertThat(battery.error(true)).isLessThan(leastPrimaryError(battery));
    }

    @Test
    void asMeantNothingIsForecastBeforeTheFirstValueAndWindowsStayInTheirRange() {
        Battery battery = new Battery(Kind.FIXED);
        assertThat(battery.forecast(true)).isNaN();
        for (int i = 0; i < Battery.PRIMARIES; i++) {
            assertThat(battery.primaryForecast(i)).isNaN();
        }
        battery.take(5);
        for (int i = 0; i < Battery.PRIMARIES; i++) {
            assertThat(battery.primaryForecast(i)).isEqualTo(5);
            assertThat(battery.primaryError(i, true)).isZero();
        }
        assertThat(battery.method(true)).isEqualTo("Last Value");
    }

    @Test
    void anIntervalCoversNineValuesOfTenOfASteadySeries() {
        long seed = 23;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Battery battery = new Battery(Kind.FIXED);
        Interval interval = new Interval();
        int within = 0;
        int told = 0;
        for (int i = 0; i < 4_000; i++) {
            double value = 100 + 10 * random.nextGaussian();
            double forecast = battery.forecast(true);
            if (!Double.isNaN(forecast)) {
                Interval.Bounds bounds = interval.about(forecast);
                if (bounds != null) {
                    told++;
                    within += value >= bounds.low() && value <= bounds.high() ? 1 : 0;
                }
                interval.add(value - forecast);
            }
            battery.take(value);
        }
        assertThat(told).isGreaterThan(3_900);
        assertThat(within / (double) told).isBetween(0.88, 0.93);
    }
}
