package org.diperf.analyzer.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.diperf.analyzer.result.LevelRule.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LevelRuleTests {

    private static Level sound(int stage, double value, double perSecond) {
        return new Level(stage, value, perSecond, false, false);
    }

    @Test
    void theLevelThatServedMostIsTheBest() {
        assertThat(LevelRule.best(List.of(sound(0, 1, 10), sound(1, 2, 19), sound(2, 4, 15))))
                .hasValue(sound(1, 2, 19));
    }

    @Test
    void ofLevelsThatServedTheSameTheLowestIsTheBest() {
        assertThat(LevelRule.best(List.of(sound(0, 8, 100), sound(1, 4, 99.5), sound(2, 2, 98))))
                .hasValue(sound(1, 4, 99.5));
    }

    @Test
    void aDoubtfulLevelDoesNotCountHoweverMuchItServed() {
        Level doubtful = new Level(1, 2, 50, false, true);
        assertThat(LevelRule.best(List.of(sound(0, 1, 10), doubtful))).hasValue(sound(0, 1, 10));
        assertThat(LevelRule.best(List.of(doubtful))).isEmpty();
    }

    @Test
    void whereSoundLevelsSettledOthersDoNotCount() {
        Level settled = new Level(1, 2, 5, true, false);
        assertThat(LevelRule.counting(List.of(sound(0, 1, 10), settled))).containsExactly(settled);
    }

    @Test
    void aSettledLevelThatIsDoubtfulDoesNotKeepOutSoundOnesThatDidNotSettle() {
        Level doubtful = new Level(1, 2, 50, true, true);
        assertThat(LevelRule.counting(List.of(sound(0, 1, 10), doubtful))).containsExactly(sound(0, 1, 10));
    }

    @Test
    void aLevelThatServedNothingIsNoBestOne() {
        assertThat(LevelRule.best(List.of(sound(0, 1, Double.NaN), sound(1, 2, 3))))
                .hasValue(sound(1, 2, 3));
    }
}
