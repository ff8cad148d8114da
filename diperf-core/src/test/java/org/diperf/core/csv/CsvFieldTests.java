package org.diperf.core.csv;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CsvFieldTests {

    @Test
    void whatWouldEndAFieldIsQuoted() {
        assertThat(CsvField.of("node 7")).isEqualTo("node 7");
        assertThat(CsvField.of("")).isEmpty();
        assertThat(CsvField.of("a,b")).isEqualTo("\"a,b\"");
        assertThat(CsvField.of("the \"best\"")).isEqualTo("\"the \"\"best\"\"\"");
        assertThat(CsvField.of("two\nlines")).isEqualTo("\"two\nlines\"");
        assertThat(CsvField.of("two\rlines")).isEqualTo("\"two\rlines\"");
    }

    @Test
    void aFieldOfOneLineHasNoControls() {
        assertThat(CsvField.ofLine("red \u001b[31m, two\r\nlines")).isEqualTo("\"red  [31m, two  lines\"");
    }
}
