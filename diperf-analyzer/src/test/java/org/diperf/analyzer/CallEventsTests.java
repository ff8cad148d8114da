package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientSide;
import org.diperf.analyzer.result.MetricRow;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.stats.Statistic;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes within calls: of a run of 10 s, two testers with clocks an hour apart, a stream each. */
class CallEventsTests {

    @TempDir
    private Path folder;

    private RunFixture run;

    /** 100 events 20 ms apart after 100 ms, from 1 s to 3.08 s; 3 events after a second, 100 and 500 ms, from 8 s on. */
    @BeforeEach
    void streams() {
        long[] steady = new long[100];
        Arrays.fill(steady, 20_000);
        steady[0] = 100_000;
        run = new RunFixture()
                        .tester(1, 3_600_000_000_000L, 0)
                        .tester(2, -3_600_000_000_000L, 0)
                        .closed(2, 0, 10_000)
                        .exchanges(12_000)
                        .stream("token", "text")
                        .call(1, 0, 1_000, 1_000, 3_080, "ok")
                        .call(2, 1, 8_000, 8_000, 9_700, "status 500")
                        .events(1, 0, 1_000, steady)
                        .events(2, 1, 8_000, 1_000_000, 100_000, 500_000);
    }

    private static Map<String, double[]> rows(Analysis analysis) {
        return analysis.details().metrics().stream().collect(Collectors.toMap(MetricRow::name, MetricRow::values));
    }

    @Test
    void gapsAreThoseBetweenEventsOfAllCallsAndFirstOnesAreNone() throws IOException {
        Analysis analysis = run.thresholds("metrics.gap.p50 < 20.1ms", "metrics.gap.max < 400ms")
                .analyze(folder);

        ClientSide side = requireNonNull(analysis.summary().clientSide());
        ClientSide.MetricSummary gap = requireNonNull(side.metrics()).get("gap");
        assertThat(gap.unit()).isEqualTo("ms");
        assertThat(gap.values().count()).isEqualTo(101);
        assertThat(gap.values().of(Statistic.P50)).isCloseTo(20, within(0.1));
        assertThat(gap.values().of(Statistic.MAX)).isCloseTo(500, within(0.1));
        ClientSide.EventCounts events = requireNonNull(side.events());
        assertThat(events.unit()).isEqualTo("token");
        assertThat(events.total()).isEqualTo(103);
        assertThat(events.units()).isEqualTo(206);
        assertThat(events.unitsPerSecond()).isCloseTo(2 * events.perSecond(), within(1e-9));
        assertThat(analysis.summary().thresholds())
                .extracting(Summary.ThresholdResult::holds)
                .containsExactly(true, false);
    }

    @Test
    void eventsCountWhenTheyCame() throws IOException {
        Map<String, double[]> rows = rows(run.analyze(folder));

        // The first stream's are at 1.1, 1.12, ... 3.08 s.
        assertThat(rows.get("events")).startsWith(0, 45, 50, 5, 0).hasSizeGreaterThanOrEqualTo(9);
        assertThat(rows.get("units")).startsWith(0, 90, 100, 10, 0);
        assertThat(rows.get("events")[9]).isEqualTo(3);
        assertThat(rows.get("gap")[1]).isCloseTo(20, within(0.1));
        assertThat(rows.get("gap")[9]).isCloseTo(300, within(0.1));
    }

    @Test
    void onlyThoseOfTheMeasuredPartAreInTheSummary() throws IOException {
        ClientSide side = requireNonNull(
                run.measure("range", 2_000, 5_000, 0).analyze(folder).summary().clientSide());

        ClientSide.EventCounts events = requireNonNull(side.events());
        // From 2.0 s to 3.08 s.
        assertThat(events.total()).isEqualTo(55);
        assertThat(events.perSecond()).isCloseTo(55 / 3.0, within(0.01));
    }
}
