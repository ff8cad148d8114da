package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class CsvFieldTests {

    private static final long SEED = Long.getLong("diperf.seed", 16);

    @Test
    void whatWouldEndAFieldIsQuoted() {
        assertThat(CsvField.of("node 7")).isEqualTo("node 7");
        assertThat(CsvField.of("")).isEmpty();
        assertThat(CsvField.of("a,b")).isEqualTo("\"a,b\"");
        assertThat(CsvField.of("the \"best\"")).isEqualTo("\"the \"\"best\"\"\"");
    }

    @Test
    void aFieldIsOneLineWithoutControls() {
        assertThat(CsvField.of("red \u001b[31m, two\r\nlines")).isEqualTo("\"red  [31m, two  lines\"");
        assertThat(CsvField.of("red \u009b31m two\u0085lines\u007f")).isEqualTo("red  31m two lines ");
    }

    @Test
    void noSpreadsheetComputesIt() {
        assertThat(CsvField.of("=HYPERLINK(\"http://evil/\",\"x\")"))
                .isEqualTo("\"'=HYPERLINK(\"\"http://evil/\"\",\"\"x\"\")\"");
        for (String formula : List.of("+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "=1", "\uFF1D1+1", "-")) {
            assertThat(CsvField.of(formula)).startsWith("'");
        }
        assertThat(CsvField.of("\t=1")).isEqualTo(" =1");
    }

    @Test
    void numbersStayNumbers() {
        for (String number : List.of("-5", "+1", "-0.25", "-1.5e-7", "17")) {
            assertThat(CsvField.of(number)).isEqualTo(number);
        }
    }

    @Test
    void itsTextIsReadBack() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = random.nextInt(6); k > 0; k--) {
                text.append("=+-@'a1\uFF1D ".charAt(random.nextInt(9)));
            }
            assertThat(CsvField.textOf(CsvField.of(text.toString())))
                    .as("seed %d", SEED)
                    .isEqualTo(text.toString());
        }
    }
}
