package org.diperf.analyzer.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.diperf.analyzer.text.Screen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ComparisonTableTests {

    /** 400 calls a run, of which none fails: too few for a 99th percentile. */
    private static final Simulated FEW = new Simulated(10, 0.3, 0.5, 0.005, 20, 20, 0);

    private static final String LONG = "a-name-that-tells-all-of-the-run-it-belongs-to";

    @Test
    void whatTooFewCallsCannotTellKeepsItsRowAndSaysSo() {
        List<String> lines = lines(compare(side(FEW, "before", 1), side(FEW, "after", 2)), Screen.PLAIN);

        assertThat(lines).anyMatch(line -> line.matches(" response p99 ms +– +– +– +– +– +too few calls"));
        assertThat(lines).anyMatch(line -> line.matches(" failed calls % +0 +0 .* none failed"));
        assertThat(lines)
                .containsSubsequence(
                        " too few calls: response p99 takes 1,000 ok calls in every run (the smallest has 400): make the runs",
                        "more runs do not help");
    }

    @Test
    void whatIsShownAndNotJudgedSaysSo() {
        assertThat(lines(compare(side(FEW, "before", 1), side(FEW, "after", 2)), Screen.PLAIN))
                .anyMatch(line -> line.matches(" service mean ms .* – +not judged"));
    }

    @Test
    void ofManySidesAMissingCellSaysWhy() {
        Comparison comparison = Comparer.compare(
                Stream.of(1, 2, 3).map(i -> side(FEW, "run" + i, i)).toList(), Settings.DEFAULT, List.of(), List.of());

        assertThat(lines(comparison, Screen.PLAIN))
                .anyMatch(line -> line.startsWith(" run2") && line.contains("too few calls"));
    }

    @Test
    void ofEightyColumnsNoLineIsWider() {
        Simulated many = FEW.perSecond(2_000).failing(0.01);
        for (Comparison comparison : List.of(
                compare(side(many, LONG, 1), side(many.slower(1.5), LONG + "-2", 2)),
                Comparer.compare(
                        Stream.of(1, 2, 3).map(i -> side(many, LONG + i, i)).toList(),
                        Settings.DEFAULT,
                        List.of(),
                        List.of()))) {
            assertThat(lines(comparison, new Screen(false, 80)))
                    .allMatch(line -> Screen.length(line) <= 80)
                    .anyMatch(line -> line.contains("p50"));
        }
    }

    private static List<String> lines(Comparison comparison, Screen screen) {
        return ComparisonTable.render(comparison, screen).lines().toList();
    }

    private static Side side(Simulated service, String name, long seed) {
        return service.side(name, 1, new SplittableRandom(seed));
    }

    private static Comparison compare(Side a, Side b) {
        return Comparer.compare(List.of(a, b), Settings.DEFAULT, List.of(), List.of());
    }
}
