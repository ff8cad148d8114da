package org.diperf.controller.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.diperf.core.expression.Expression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class GridTests {

    private static final Axis SIZE = new Axis("client.with.size", "size", List.of("8KiB", "1MiB"));
    private static final Axis PARALLELISM = new Axis("client.with.parallelism", "parallelism", List.of(1L, 2L, 4L));

    private static Grid grid(boolean shuffled, Trials trials, String... except) {
        return new Grid(
                List.of(SIZE, PARALLELISM),
                Map.of(),
                List.of(except).stream().map(Expression::parse).toList(),
                shuffled,
                trials);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1..64 x4|[1, 4, 16, 64]",
                "1..10 x2|[1, 2, 4, 8]",
                "10..40 +10|[10, 20, 30, 40]",
                "0..1 +0.25|[0, 0.25, 0.5, 0.75, 1]",
                "8KiB..4MiB x16|[8KiB, 128KiB, 2MiB]",
                "1kB..100kB x10|[1kB, 10kB, 100kB]",
                "1s..3s +500ms|[1s, 1500ms, 2s, 2500ms, 3s]",
                "100/s..400/s x2|[100/s, 200/s, 400/s]",
                "5..5 +1|[5]"
            })
    void aRangeNamesItsValues(String range, String values) {
        assertThat(String.valueOf(Ranges.values(range))).isEqualTo(values);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4..1 x2", "1..8 x1", "0..8 x2", "1KiB..8s x2", "1..9 +0", "1..100000000 +1"})
    void aRangeThatDoesNotGrowIsRefused(String range) {
        assertThatThrownBy(() -> Ranges.values(range)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1..8", "fast", "1..8 x", "${env:X}"})
    void whatIsNoRangeIsNone(String text) {
        assertThat(Ranges.values(text)).isNull();
    }

    @Test
    void inTheOrderOfTheFileTheLastAxisChangesFastest() {
        assertThat(grid(false, Trials.ONE).points())
                .extracting(point -> point.set().values().toString())
                .containsExactly("[8KiB, 1]", "[8KiB, 2]", "[8KiB, 4]", "[1MiB, 1]", "[1MiB, 2]", "[1MiB, 4]");
    }

    @Test
    void exceptLeavesOutPointsByShortNamesPathsAndUnits() {
        assertThat(grid(false, Trials.ONE, "size > 100KiB && parallelism >= 2", "client.with.parallelism == 2")
                        .points())
                .extracting(point -> point.set().values().toString())
                .containsExactly("[8KiB, 1]", "[8KiB, 4]", "[1MiB, 1]");
    }

    @Test
    void variantsOfAPointFollowOneAnother() {
        Grid grid = new Grid(
                List.of(PARALLELISM),
                Map.of("new", Map.of("service.start", "./v2")),
                List.of(Expression.parse("variant == new && parallelism == 1")),
                false,
                Trials.ONE);

        assertThat(grid.points())
                .extracting(Point::set)
                .containsExactly(
                        Map.of("client.with.parallelism", 2L, "variant", "new"),
                        Map.of("client.with.parallelism", 4L, "variant", "new"));
    }

    @Test
    void interleavedTrialsRunEachPointOnceARound() {
        Grid grid = grid(true, new Trials(3, true, Duration.ZERO));
        List<PlannedRun> runs = grid.runs(grid.points(), 42);

        assertThat(runs)
                .extracting(PlannedRun::number)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 18).boxed().toList());
        for (int round = 0; round < 3; round++) {
            List<PlannedRun> block = runs.subList(6 * round, 6 * round + 6);
            assertThat(block).extracting(run -> run.point().index()).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
            assertThat(block).extracting(PlannedRun::trial).containsOnly(round + 1);
        }
    }

    @Test
    void groupedTrialsRunAPointInARow() {
        Grid grid = grid(false, new Trials(2, false, Duration.ZERO));

        assertThat(grid.runs(grid.points(), 42))
                .extracting(run -> run.point().index() + "/" + run.trial())
                .containsExactly("0/1", "0/2", "1/1", "1/2", "2/1", "2/2", "3/1", "3/2", "4/1", "4/2", "5/1", "5/2");
    }

    @Test
    void theShuffleFollowsFromTheSeed() {
        Grid grid = grid(true, new Trials(4, true, Duration.ZERO));
        List<PlannedRun> runs = grid.runs(grid.points(), 42);

        assertThat(grid.runs(grid.points(), 42)).isEqualTo(runs);
        assertThat(grid.runs(grid.points(), 43)).isNotEqualTo(runs);
        List<List<Integer>> rounds = IntStream.range(0, 4)
                .mapToObj(round -> runs.subList(6 * round, 6 * round + 6).stream()
                        .map(run -> run.point().index())
                        .toList())
                .toList();
        assertThat(rounds.stream().distinct().count()).as("orders of rounds").isGreaterThan(1);
    }

    @Test
    void foldersSayWhatTheRunIs() {
        Grid grid =
                new Grid(List.of(SIZE), Map.of("old", Map.of()), List.of(), false, new Trials(2, true, Duration.ZERO));

        assertThat(grid.runs(grid.points(), 1))
                .extracting(PlannedRun::dir)
                .containsExactly(
                        "runs/001-size=8KiB,old,trial=1",
                        "runs/002-size=1MiB,old,trial=1",
                        "runs/003-size=8KiB,old,trial=2",
                        "runs/004-size=1MiB,old,trial=2");
    }

    @Test
    void axesWithTheSameEndAreCalledByMoreOfTheirPaths() {
        List<String> paths = List.of("client.with.size", "labels.size", "load.clients");

        assertThat(paths.stream().map(path -> Axis.shortName(path, paths)))
                .containsExactly("with.size", "labels.size", "clients");
    }

    @Test
    void trialsHaveSeedsOfTheirOwnThatTheExperimentsSeedDecides() {
        assertThat(Grid.seed(42, 1)).isEqualTo(42);
        assertThat(Grid.seed(42, 2)).isEqualTo(Grid.seed(42, 2)).isPositive().isNotEqualTo(Grid.seed(42, 3));
        assertThat(Grid.seed(43, 2)).isNotEqualTo(Grid.seed(42, 2));
    }

    @Test
    void theTimeLeftLearnsWhatRunsTakeBesides() {
        RemainingTime left =
                new RemainingTime(List.of(OptionalLong.of(10), OptionalLong.of(10), OptionalLong.of(20)), 5);
        assertThat(left.nanos()).hasValue(50);

        left.ended(13);

        assertThat(left.nanos()).hasValue(10 + 20 + 5 + 2 * 3);
    }

    @Test
    void whereNobodyKnowsHowLongRunsTakeTheOnesBeforeTell() {
        RemainingTime left =
                new RemainingTime(List.of(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty()), 0);
        assertThat(left.nanos()).isEmpty();

        left.ended(30);

        assertThat(left.nanos()).hasValue(60);
    }
}
