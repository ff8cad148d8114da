package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.diperf.core.contract.AnnexContract;
import org.diperf.core.spi.Annex.Amount;
import org.diperf.core.spi.Annex.Cell;
import org.diperf.core.spi.Annex.Column;
import org.diperf.core.spi.Annex.Fact;
import org.diperf.core.spi.Annex.Table;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of an annex. */
@Timeout(60)
class AnnexTests {

    private static Annex annex(String name, List<Fact> facts, List<Table> tables, String drawing) {
        return new Annex(name, "Title", facts, List.of(), tables, null, drawing, List.of(), null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Cache", "../run", "a/b", "-a", "a.b", "a123456789012345678901234567890123"})
    void itsNameIsOneOfAFile(String name) {
        assertThatThrownBy(() -> annex(name, List.of(), List.of(), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a name");
    }

    @Test
    void textsListsAndDrawingAreBounded() {
        assertThatThrownBy(() -> new Fact("fact", "x".repeat(Annex.MAX_TEXT + 1)))
                .hasMessageContaining("expected text of at most 500 characters, got 501");
        assertThatThrownBy(
                        () -> annex("a", Collections.nCopies(Annex.MAX_ITEMS + 1, new Fact("a", "b")), List.of(), ""))
                .hasMessageContaining("expected at most 200 items, got 201");
        assertThatThrownBy(() -> annex("a", List.of(), List.of(), " ".repeat(Annex.MAX_DRAWING + 1)))
                .hasMessageContaining("expected a drawing of at most");
    }

    @Test
    void rowsOfATableAreAsLongAsItsHead() {
        List<Column> columns = List.of(new Column("a", "a", ""), new Column("b", "b", "ms"));
        assertThatThrownBy(() -> new Table("t", "t", columns, List.of(List.of(Cell.of("x")))))
                .hasMessageContaining("expected 2 cells in each row of table 't', got 1");
        assertThatThrownBy(() -> new Amount("a b", "ms", Cell.of(1))).hasMessageContaining("expected a name");
    }

    @Test
    void anotherNameChangesNothingElse() {
        Annex cache = annex("cache", List.of(new Fact("size", "large")), List.of(), "");
        assertThat(cache.named("cache-2").named("cache")).isEqualTo(cache);
    }

    /** The smallest that has something of everything. */
    @Nested
    class Contract extends AnnexContract {

        @Override
        protected List<Annex> annexes() {
            return List.of(new Annex(
                    "cache",
                    "The cache",
                    List.of(new Fact("cache", "${hits} hits")),
                    List.of(new Amount("hits", "", Cell.of(3))),
                    List.of(new Table(
                            "shards",
                            "One shard a row",
                            List.of(new Column("name", "shard", ""), new Column("full", "full", "percent")),
                            List.of(List.of(Cell.of("a"), Cell.of(Annex.What.MAX, List.of("a.full")))))),
                    null,
                    "<svg><line x1='0' data-load='shards.1.full'/><text class='name'>${hits}</text></svg>",
                    List.of(),
                    null));
        }
    }
}
