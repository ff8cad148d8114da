package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarkdownTests {

    @Test
    void textsFromOutsideStayTexts() {
        assertThat(Markdown.escaped("a|b <img src=x> [l](u) `c` *d* _e_ @all #1 \\ &amp; \"q\"\n## x"))
                .doesNotContainPattern("[|<>\\[\\]`*_@\\\\\"\\n]")
                .startsWith("a&#124;b &#60;img src=x&#62;")
                .contains("&#35;1");
        assertThat(Markdown.escaped("réponse p99 12.1–12.3 ms, ± 5 %")).isEqualTo("réponse p99 12.1–12.3 ms, ± 5 %");
    }

    @Test
    void aLongTableIsCutAndSaysSo() {
        String table = new Markdown()
                .table(List.of("a", "b"), Collections.nCopies(100, List.of("1", "2")))
                .toString();
        assertThat(table).startsWith("| a | b |\n| --- | --- |\n| 1 | 2 |\n").endsWith("| 1 | 2 |\n\nand 40 more\n\n");
    }
}
