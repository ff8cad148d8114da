package org.diperf.analyzer.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.diperf.core.experiment.SecretMask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class TerminalFormatTests {

    private static final List<List<String>> ROWS = List.of(
            List.of("run", "calls", "verdict"),
            List.of("orders-20261123T101500Z", "12,000", "valid"),
            List.of("b", "7", "suspect, threshold failed"));

    private static List<String> table(TerminalFormat screen) {
        StringBuilder out = new StringBuilder();
        screen.table(ROWS, 1, out);
        return out.toString().lines().toList();
    }

    @Test
    void wordsStandLeftAndNumbersRight() {
        assertThat(table(TerminalFormat.PLAIN))
                .containsExactly(
                        " run                       calls  verdict",
                        " orders-20261123T101500Z  12,000  valid",
                        " b                             7  suspect, threshold failed");
    }

    @Test
    void aNarrowTerminalCutsTheLastColumnThenTheFirst() {
        assertThat(table(new TerminalFormat(false, 50)))
                .containsExactly(
                        " run                       calls  verdict",
                        " orders-20261123T101500Z  12,000  valid",
                        " b                             7  suspect, thresh…");
        assertThat(table(new TerminalFormat(false, 40)))
                .containsExactly(
                        " run                 calls  verdict",
                        " orders-20261123T…  12,000  valid",
                        " b                       7  suspect, th…");
    }

    @Test
    void coloursAreThereWhereTheyAreUnderstood() {
        assertThat(table(new TerminalFormat(true, 80)).get(0))
                .startsWith(SecretMask.ESCAPE + "[2m run")
                .endsWith("verdict" + SecretMask.ESCAPE + "[0m");
        assertThat(new TerminalFormat(true, 80).red("no"))
                .isEqualTo(SecretMask.ESCAPE + "[31mno" + SecretMask.ESCAPE + "[0m");
        assertThat(TerminalFormat.PLAIN.red("no")).isEqualTo("no");
    }

    @Test
    void aSentenceIsBrokenBetweenWordsAndGoesOnBelowTheFirst() {
        StringBuilder out = new StringBuilder();
        new TerminalFormat(false, 40).sentence(" found  ", "a service that answers 200 calls a second", out);

        assertThat(out).hasToString(" found  a service that answers 200 calls\n        a second\n");
    }

    @Test
    void aWordThatIsLongerThanTheLineIsLeftWhole() {
        StringBuilder out = new StringBuilder();
        new TerminalFormat(false, 40).sentence("", "x ".repeat(3) + "y".repeat(50) + " z", out);

        assertThat(out).hasToString("x x x\n" + "y".repeat(50) + "\nz\n");
    }
}
