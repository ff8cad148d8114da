package org.diperf.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.core.annex.Svg;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.OneLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every annex keeps to beyond what its constructors refuse: it is shown as it is written, with nothing cut off or left out.
 * Extend it in a plugin's tests.
 */
@Timeout(60)
public abstract class AnnexContract {

    /** As terminal and report write them. */
    private static final int MAX_SHOWN = 300;

    private static final Pattern NUMBER = Pattern.compile("\\$\\{([^}]*)\\}");

    /** Returns annexes as they are left at the end of a run. */
    protected abstract List<Annex> annexes();

    private static Set<String> names(Annex annex) {
        Set<String> names = new LinkedHashSet<>();
        annex.numbers()
                .forEach(number -> assertThat(names.add(number.name()))
                        .as("a number's name is unique: %s", number.name())
                        .isTrue());
        for (Annex.Table table : annex.tables()) {
            for (int row = 1; row <= table.rows().size(); row++) {
                for (Annex.Column column : table.columns()) {
                    assertThat(names.add(table.name() + "." + row + "." + column.name()))
                            .as("a column's name is unique: %s", column.name())
                            .isTrue();
                }
            }
        }
        return names;
    }

    private static Stream<String> named(String text) {
        return NUMBER.matcher(text).results().map(found -> found.group(1));
    }

    @Test
    void everyNumberInItsTextsIsThere() {
        for (Annex annex : annexes()) {
            Set<String> names = names(annex);
            Stream<String> texts =
                    Stream.concat(annex.facts().stream().map(Annex.Fact::text), Stream.of(annex.drawing()));
            assertThat(texts.flatMap(AnnexContract::named)).allMatch(names::contains);
        }
    }

    @Test
    void itsTextsAreOneLineThatIsShownWhole() {
        for (Annex annex : annexes()) {
            List<String> texts = new ArrayList<>(List.of(annex.title()));
            annex.facts().forEach(fact -> texts.addAll(List.of(fact.name(), fact.text())));
            annex.tables().forEach(table -> {
                texts.add(table.title());
                table.columns().forEach(column -> texts.add(column.heading()));
                table.rows()
                        .forEach(row -> row.stream()
                                .map(Annex.Cell::text)
                                .flatMap(Stream::ofNullable)
                                .forEach(texts::add));
            });
            Annex.Chart chart = annex.chart();
            if (chart != null) {
                texts.addAll(List.of(chart.title(), chart.howToRead()));
                chart.panels().forEach(panel -> texts.add(panel.label()));
            }
            assertThat(texts).allMatch(text -> OneLine.of(text, MAX_SHOWN).equals(text));
        }
    }

    @Test
    void nothingOfItsDrawingIsLeftOut() throws IOException {
        for (Annex annex : annexes()) {
            if (!annex.drawing().isEmpty()) {
                Drawn drawn = new Drawn(names(annex));
                assertThat(Svg.read(annex.drawing(), drawn))
                        .as("elements and attributes left out")
                        .isZero();
                assertThat(drawn.open).isZero();
            }
        }
    }

    /** Looks at what names numbers. */
    private static final class Drawn implements Svg.Sink {

        private final Set<String> names;
        private int open;

        Drawn(Set<String> names) {
            this.names = names;
        }

        @Override
        public void open(String element, Map<String, String> attributes) {
            open++;
            String load = attributes.getOrDefault("data-load", "");
            assertThat(Stream.of(load.split(" ")).filter(name -> !name.isEmpty()))
                    .allMatch(names::contains);
        }

        @Override
        public void text(String text) {
            Matcher broken = Pattern.compile("\\$\\{[^}]*$").matcher(text);
            assertThat(broken.find())
                    .as("a number that is not closed in: %s", text)
                    .isFalse();
        }

        @Override
        public void close(String element) {
            open--;
        }
    }
}
