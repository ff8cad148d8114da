package org.diperf.analyzer.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.diperf.analyzer.text.TerminalFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ComparisonTableTests {

    /** 400 calls a run, of which none fails: too few for a 99th percentile. */
    private static final Simulated FEW = new Simulated(10, 0.3, 0.5, 0.005, 20, 20, 0);

    private static final String LONG = "a-name-that-tells-all-of-the-run-it-belongs-to";

    @Test
    void whatTooFewCallsCannotTellKeepsItsRowAndSaysSo() {
        List<String> lines = lines(compare(side(FEW, "before", 1), side(FEW, "after", 2)), TerminalFormat.PLAIN);

        assertThat(lines).anyMatch(line -> line.matches(" response p99 ms +– +– +– +– +too few calls"));
        assertThat(lines).anyMatch(line -> line.matches(" failed calls % +0 +0 .* none failed"));
        assertThat(lines)
                .containsSubsequence(
                        " too few calls: response p99 needs 1,000 ok calls in every run (the smallest has 400): make the runs",
                        "   longer; additional runs would not help");
    }

    @Test
    void whatIsShownAndNotJudgedSaysSo() {
        assertThat(lines(compare(side(FEW, "before", 1), side(FEW, "after", 2)), TerminalFormat.PLAIN))
                .anyMatch(line -> line.matches(" service mean ms .* % +not judged"));
    }

    @Test
    void ofManySidesAMissingCellSaysWhy() {
        Comparison comparison = ComparisonBuilder.compare(
                Stream.of(1, 2, 3).map(i -> side(FEW, "run" + i, i)).toList(), Settings.DEFAULT, List.of(), List.of());

        assertThat(lines(comparison, TerminalFormat.PLAIN))
                .anyMatch(line -> line.startsWith(" run2") && line.contains("too few calls"));
    }

    @Test
    void ofEightyColumnsNoLineIsWider() {
        Simulated many = FEW.perSecond(2_000).failing(0.01);
        for (Comparison comparison : List.of(
                compare(side(many, LONG, 1), side(many.slower(1.5), LONG + "-2", 2)),
                ComparisonBuilder.compare(
                        Stream.of(1, 2, 3).map(i -> side(many, LONG + i, i)).toList(),
                        Settings.DEFAULT,
                        List.of(),
                        List.of()))) {
            assertThat(lines(comparison, new TerminalFormat(false, 80)))
                    .allMatch(line -> TerminalFormat.length(line) <= 80)
                    .anyMatch(line -> line.contains("p50"));
        }
    }

    private static List<String> lines(Comparison comparison, TerminalFormat screen) {
        return ComparisonTable.render(comparison, screen).lines().toList();
    }

    private static Side side(Simulated service, String name, long seed) {
        return service.side(name, 1, new SplittableRandom(seed));
    }

    private static Comparison compare(Side a, Side b) {
        return ComparisonBuilder.compare(List.of(a, b), Settings.DEFAULT, List.of(), List.of());
    }
}
