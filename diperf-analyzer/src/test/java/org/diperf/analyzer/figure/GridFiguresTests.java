package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.analyzer.figure.FigureData.Row;
import org.diperf.analyzer.grid.GridFixture;
import org.diperf.analyzer.grid.GridFixture.Numbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class GridFiguresTests {

    @TempDir
    Path folder;

    private List<Figure> figures(long bytesPerCall, Object... processes) throws IOException {
        GridFixture grid = new GridFixture(folder)
                .axis("labels.processes", "processes", processes)
                .variant("kept", Map.of("client.with.connection", "keep"))
                .variant("new", Map.of("client.with.connection", "new"));
        for (Object count : processes) {
            for (String variant : List.of("kept", "new")) {
                Map<String, Object> set = Map.of("labels.processes", count, "variant", variant);
                grid.run(set, 1, new Numbers(100, 5, 20, 0, 1000 * bytesPerCall, "valid", ""));
            }
        }
        return GridFigures.all(grid.analysis());
    }

    @Test
    void fewNumbersAreBarsAndMoreACurve() throws IOException {
        assertThat(figures(0, 1, 2, 4).get(0).howToRead()).startsWith("Each bar");
        assertThat(figures(0, 1, 2, 3, 4, 5).get(0).howToRead()).startsWith("Each mark");
    }

    @Test
    void aRowIsAVariantWithTheMedianOfEachPoint() throws IOException {
        GridFixture grid = new GridFixture(folder)
                .axis("labels.processes", "processes", 1, 2, 4)
                .variant("kept", Map.of("client.with.connection", "keep"))
                .variant("new", Map.of("client.with.connection", "new"));
        for (int processes : new int[] {1, 2, 4}) {
            for (int trial = 1; trial <= 3; trial++) {
                double scatter = trial - 2;
                Map<String, Object> kept = Map.of("labels.processes", processes, "variant", "kept");
                grid.run(kept, trial, 100 * processes + scatter, 5 + scatter);
                Map<String, Object> fresh = Map.of("labels.processes", processes, "variant", "new");
                grid.run(fresh, trial, 50 * processes + scatter, 10 + scatter);
            }
        }
        List<Figure> figures = GridFigures.all(grid.analysis());

        FigureData throughput = FigureData.of(figures, "grid-throughput");
        assertThat(throughput.title()).isEqualTo("Throughput over processes and variant");
        assertThat(throughput.domain(0)).isEqualTo("processes");
        Row kept = throughput.panel(0).get(0);
        assertThat(kept.axis()).isEqualTo("throughput (calls/s)");
        assertThat(kept.y()).containsExactly(100, 200, 400);
        assertThat(throughput.panel(0).get(1).y()).containsExactly(50, 100, 200);
        Row quartiles = throughput.panel(0).get(2);
        assertThat(quartiles.low()).containsExactly(99.5, 199.5, 399.5);
        assertThat(quartiles.high()).containsExactly(100.5, 200.5, 400.5);
        assertThat(throughput.legend())
                .containsExactly("variant kept", "variant new", "95 % interval of the mean", "quartiles of the trials");
        FigureData median = FigureData.of(figures, "grid-response-time-p50");
        assertThat(median.panel(0).get(0).axis()).isEqualTo("response time p50 (ms)");
        assertThat(median.panel(0).get(1).y()).containsExactly(10, 10, 10);
        assertThat(figures).extracting(Figure::name).as("no call failed").doesNotContain("grid-failed");
    }

    @Test
    void whatBarsWouldNotShowAreDotsOnALogarithmicScale() throws IOException {
        GridFixture grid = new GridFixture(folder)
                .variant("near", Map.of("load.think", "0s"))
                .variant("far", Map.of("load.think", "1s"));
        grid.run(Map.of("variant", "near"), 1, new Numbers(1_000, 1, 2, 0, 1_000, "valid", ""));
        grid.run(Map.of("variant", "far"), 1, new Numbers(10, 80, 99, 0, 1_000, "valid", ""));

        assertThat(GridFigures.all(grid.analysis()))
                .filteredOn(figure -> figure.name().equals("grid-response-time-p50"))
                .singleElement()
                .extracting(Figure::howToRead, STRING)
                .startsWith("Each mark")
                .contains("on a logarithmic scale");
    }

    @Test
    void bitsAreShownBesideCallsWhereCallsMoveMuch() throws IOException {
        assertThat(figures(1 << 20, 1, 2))
                .extracting(Figure::name)
                .contains("grid-throughput", "grid-throughput-in-bits");
        assertThat(figures(1 << 10, 1, 2)).extracting(Figure::name).doesNotContain("grid-throughput-in-bits");
    }
}
