package org.diperf.controller.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.diperf.controller.grid.GridRuns.Outcome;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.RunEntry;
import org.diperf.core.run.GridRecord.State;
import org.diperf.core.run.GridRecord.TrialsRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

@Timeout(30)
class GridRunsTests {

    private static final long SECOND = 1_000_000_000L;
    private static final Outcome DONE = new Outcome(State.DONE, null);

    @TempDir
    Path folder;

    private final Grid grid = new Grid(
            List.of(new Axis("load.clients", "clients", List.of(1L, 2L))),
            Map.of(),
            List.of(),
            false,
            new Trials(2, true, Duration.ofSeconds(30)));
    private final List<PlannedRun> planned = grid.runs(grid.points(), 1);
    private final List<String> told = new ArrayList<>();
    private long nowNanos;
    private GridRuns runs;

    @BeforeEach
    void prepare() {
        NanoClock clock = () -> nowNanos;
        runs = new GridRuns(
                new GridFolder(folder), run -> OptionalLong.of(10 * SECOND), 30 * SECOND, clock, (nanos, stop) -> {
                    nowNanos += nanos;
                    return stop.getCount() == 0;
                });
    }

    private GridRecord record() {
        return new GridRecord(
                GridRecord.FORMAT,
                "orders",
                Map.of(),
                1,
                "test",
                null,
                List.of(),
                Map.of(),
                new TrialsRecord(2, "interleaved", 30 * SECOND),
                "given",
                0,
                planned.stream()
                        .map(run -> new RunEntry(
                                run.number(), run.dir(), run.point().set(), run.trial(), State.PLANNED, null))
                        .toList());
    }

    private final GridRuns.Watcher watcher = new GridRuns.Watcher() {
        @Override
        public void begins(PlannedRun run, int place, int of, OptionalLong leftNanos) {
            told.add(place + "/" + of + " " + leftNanos.orElse(-1) / SECOND);
        }

        @Override
        public void ends(PlannedRun run, Outcome outcome) {
            told.add(outcome.state() + (outcome.problem() == null ? "" : " " + outcome.problem()));
        }

        @Override
        public void pauses(long nanos) {
            told.add("pause " + nanos / SECOND);
        }
    };

    private Outcome takes(long seconds) {
        nowNanos += seconds * SECOND;
        return DONE;
    }

    private List<State> states(GridRecord record) {
        return record.runs().stream().map(RunEntry::state).toList();
    }

    @Test
    void theWholeGridIsRunWithPausesAndTheTimeLeftIsTold() throws Exception {
        GridRecord done = runs.carryOut(record(), planned, run -> takes(12), watcher);

        assertThat(states(done)).containsOnly(State.DONE);
        assertThat(told)
                .containsExactly(
                        "1/4 130",
                        "DONE",
                        "pause 30",
                        "2/4 96",
                        "DONE",
                        "pause 30",
                        "3/4 54",
                        "DONE",
                        "pause 30",
                        "4/4 12",
                        "DONE");
    }

    @Test
    void aFailedRunIsNamedAndTheGridContinues() throws Exception {
        GridRecord done = runs.carryOut(
                record(),
                planned,
                run -> run.number() == 2 ? new Outcome(State.FAILED, "Expected a target, got none") : takes(10),
                watcher);

        assertThat(states(done)).containsExactly(State.DONE, State.FAILED, State.DONE, State.DONE);
        assertThat(done.runs().get(1).problem()).isEqualTo("Expected a target, got none");
    }

    @Test
    void aPointThatIsNotWorthAnotherTrialIsNotTriedAgainAndTheOthersGoOn() throws Exception {
        List<Integer> tried = new ArrayList<>();
        GridRecord done = runs.carryOut(
                record(),
                planned,
                run -> {
                    tried.add(run.number());
                    return run.point().index() == 0 ? new Outcome(State.FAILED, "no service", false) : takes(10);
                },
                watcher);

        assertThat(tried).containsExactly(1, 2, 4);
        assertThat(states(done)).containsExactly(State.FAILED, State.DONE, State.PLANNED, State.DONE);
        assertThat(told)
                .containsExactly(
                        "1/4 130", "FAILED no service", "pause 30", "2/4 90", "DONE", "pause 30", "4/4 10", "DONE");
    }

    @Test
    void aStopEndsTheGridAfterTheRunInHandAndTheRecordSaysSo() throws Exception {
        GridRecord done = runs.carryOut(
                record(),
                planned,
                run -> {
                    runs.stop();
                    return new Outcome(State.INTERRUPTED, "interrupted by the user");
                },
                watcher);

        assertThat(states(done)).containsExactly(State.INTERRUPTED, State.PLANNED, State.PLANNED, State.PLANNED);
        assertThat(written()).isEqualTo(states(done));
    }

    @Test
    void aStopDuringAPauseBeginsNoRun() throws Exception {
        GridRuns stopped = new GridRuns(
                new GridFolder(folder), run -> OptionalLong.empty(), 1, () -> nowNanos, (nanos, stop) -> true);

        assertThat(states(stopped.carryOut(record(), planned, run -> takes(1), watcher)))
                .containsExactly(State.DONE, State.PLANNED, State.PLANNED, State.PLANNED);
    }

    @Test
    void goingOnRunsWhatIsMissingAndPutsAsideWhatWasCutShort() throws Exception {
        GridRecord before = record();
        before = before.with(before.runs().get(0).with(State.DONE, null));
        before = before.with(before.runs().get(1).with(State.UNDER_WAY, null));
        Path cutShort = Files.createDirectories(folder.resolve(planned.get(1).dir()));
        Files.writeString(cutShort.resolve("run.log"), "half of it");
        List<Integer> ran = new ArrayList<>();

        GridRecord done = runs.carryOut(
                before,
                planned,
                run -> {
                    ran.add(run.number());
                    assertThat(folder.resolve(run.dir())).doesNotExist();
                    return takes(1);
                },
                watcher);

        assertThat(ran).containsExactly(2, 3, 4);
        assertThat(states(done)).containsOnly(State.DONE);
        assertThat(folder.resolve(planned.get(1).dir() + ".cut-short-1").resolve("run.log"))
                .hasContent("half of it");
    }

    @Test
    void theRecordOnDiskSaysWhichRunIsUnderWay() throws Exception {
        runs.carryOut(
                record(),
                planned,
                run -> {
                    assertThat(written().get(run.number() - 1)).isEqualTo(State.UNDER_WAY);
                    return takes(1);
                },
                watcher);
    }

    private List<State> written() throws IOException {
        return states(JsonMapper.builder()
                .build()
                .readValue(Files.readAllBytes(folder.resolve(GridRecord.FILE)), GridRecord.class));
    }
}
