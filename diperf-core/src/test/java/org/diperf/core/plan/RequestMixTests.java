package org.diperf.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class RequestMixTests {

    private static final double Z_999 = 3.29;

    @Test
    void oneRequestIsAlwaysThatOne() {
        assertThat(RequestMix.ONE.requestOf(3, 7)).isZero();
    }

    @Test
    void eachRequestHasTheShareOfItsWeight() {
        RequestMix mix = new RequestMix(42, List.of(8.0, 1.5, 0.5));
        int calls = 200_000;
        int[] counts = new int[3];
        for (int i = 0; i < calls; i++) {
            counts[mix.requestOf(i % 100, i / 100)]++;
        }
        double[] shares = {0.8, 0.15, 0.05};
        for (int i = 0; i < 3; i++) {
            double deviation = Math.sqrt(shares[i] * (1 - shares[i]) / calls);
            assertThat((double) counts[i] / calls)
                    .as("request %d", i)
                    .isBetween(shares[i] - Z_999 * deviation, shares[i] + Z_999 * deviation);
        }
    }

    @Test
    void neighboursAreIndependent() {
        RequestMix mix = new RequestMix(7, List.of(1.0, 1.0));
        int same = 0;
        for (int i = 0; i < 40_000; i++) {
            same += mix.requestOf(5, i) == mix.requestOf(5, i + 1L) ? 1 : 0;
            same += mix.requestOf(i, 5) == mix.requestOf(i + 1, 5) ? 1 : 0;
        }
        assertThat(same / 80_000.0).isBetween(0.49, 0.51);
    }

    @Test
    void theRequestIsAFunctionOfSeedClientAndCallAlone() {
        RequestMix mix = new RequestMix(7, List.of(1.0, 2.0, 3.0));
        RequestMix again = new RequestMix(7, List.of(1.0, 2.0, 3.0));
        RequestMix other = new RequestMix(8, List.of(1.0, 2.0, 3.0));
        int different = 0;
        for (int i = 999; i >= 0; i--) {
            assertThat(mix.requestOf(i % 7, i)).isEqualTo(again.requestOf(i % 7, i));
            different += mix.requestOf(i % 7, i) == other.requestOf(i % 7, i) ? 0 : 1;
        }
        assertThat(different).isGreaterThan(300);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void aWeightThatIsNoneIsTold(double weight) {
        assertThatIllegalArgumentException().isThrownBy(() -> new RequestMix(1, List.of(1.0, weight)));
    }

    @Test
    void randomRowsReachAllOfAFileAndNoMore() {
        boolean[] seen = new boolean[10];
        for (int i = 0; i < 1_000; i++) {
            seen[(int) RandomRow.of(1, 0, i % 3, i, 10)] = true;
        }
        assertThat(seen).doesNotContain(false);
    }
}
