package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How long a peer is waited for. */
class AdaptiveTimeOutTests {

    private static final long SECOND = 1_000_000_000L;

    private final AdaptiveTimeOut timeOut = new AdaptiveTimeOut(Duration.ofSeconds(10));

    @Test
    void whileNothingIsKnownItIsTheLongest() {
        assertThat(timeOut.current()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void itFollowsWhatItTakes() {
        for (int i = 0; i < 30; i++) {
            timeOut.took(SECOND);
        }
        assertThat(timeOut.current()).isEqualTo(Duration.ofMillis(1500));
        for (int i = 0; i < 30; i++) {
            timeOut.took(3 * SECOND);
        }
        assertThat(timeOut.current()).isGreaterThan(Duration.ofSeconds(3));
    }

    @Test
    void itIsNeverShorterThanAQuarterOfASecond() {
        for (int i = 0; i < 30; i++) {
            timeOut.took(1000);
        }
        assertThat(timeOut.current()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void eachMissDoublesItUpToTheLongestAndAnAnswerEndsThat() {
        for (int i = 0; i < 30; i++) {
            timeOut.took(SECOND);
        }
        timeOut.missed();
        assertThat(timeOut.current()).isEqualTo(Duration.ofSeconds(3));
        timeOut.missed();
        assertThat(timeOut.current()).isEqualTo(Duration.ofSeconds(6));
        timeOut.missed();
        assertThat(timeOut.current()).isEqualTo(Duration.ofSeconds(10));
        for (int i = 0; i < 100; i++) {
            timeOut.missed();
        }
        assertThat(timeOut.current()).isEqualTo(Duration.ofSeconds(10));
        timeOut.took(SECOND);
        assertThat(timeOut.current()).isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void ofTimesThatVaryAlmostNoneIsMissed() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int missed = 0;
        double waited = 0;
        for (int i = 0; i < 2000; i++) {
            long took = (long) (SECOND * Math.exp(0.3 * random.nextGaussian()));
            if (i > 50) {
                waited += timeOut.current().toNanos() / 1e9;
                if (took > timeOut.current().toNanos()) {
                    missed++;
                }
            }
            timeOut.took(took);
        }
        assertThat(missed).isLessThan(40);
        assertThat(waited / 1950).isBetween(1.5, 3.5);
    }
}
