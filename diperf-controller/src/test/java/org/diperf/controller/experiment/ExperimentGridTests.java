package org.diperf.controller.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.diperf.controller.grid.PlannedRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ExperimentGridTests {

    private static final String GOOD = "target: quote://h/\nload: {clients: 4, run-for: 10s}\nseed: 9\n";

    @TempDir
    Path folder;

    private static ExperimentGrid grid(String yaml, String... sets) throws ExperimentException {
        return ExperimentFile.content(yaml, "file.yml", List.of(sets), Fakes.PLUGINS, Fakes.ENVIRONMENT)
                .grid();
    }

    private static List<String> problems(String yaml) {
        return catchThrowableOfType(ExperimentException.class, () -> grid(yaml)).problems();
    }

    @Test
    void everyPointIsAnExperimentOfItsOwn() throws Exception {
        ExperimentGrid grid = grid(GOOD + "sweep: {axes: {client.with.depth: [1, 7], load.clients: 2..8 x2}}\n");

        assertThat(grid.points()).hasSize(6);
        assertThat(grid.resolved())
                .extracting(point -> point.experiment().client().with().get("depth") + "/"
                        + point.experiment().load().clients())
                .containsExactly("1/2", "1/4", "1/8", "7/2", "7/4", "7/8");
        assertThat(grid.resolved().get(0).yaml()).doesNotContain("sweep").contains("seed: 9");
        assertThat(grid.grid().shuffled()).isTrue();
        assertThat(grid.runs()).hasSize(6);
    }

    @Test
    void variantsSetAnyKeyAndMayBringWhatTheFileLeavesOut() throws Exception {
        ExperimentGrid grid = grid("load: {clients: 4, run-for: 10s}\nvariants:\n  here: {target: quote://a/}\n"
                + "  there: {target: quote://b/, client.with: {depth: 3}}\n");

        assertThat(grid.resolved())
                .extracting(point -> point.experiment().targets().each().get(0).host())
                .containsExactly("a", "b");
        assertThat(grid.points().get(1).set()).isEqualTo(Map.of("variant", "there"));
        assertThat(grid(grid.yaml()).resolved()).isEqualTo(grid.resolved());
    }

    @Test
    void theFileOfTheGridRepeatsAllOfIt() throws Exception {
        ExperimentGrid grid = grid(GOOD.replace("seed: 9\n", "")
                + "sweep: {axes: {client.with.block: 8KiB..64KiB x2}, except: [block == 16KiB]}\n"
                + "trials: {count: 2, pause: 5s}\n");

        ExperimentGrid again = grid(grid.yaml());

        assertThat(again.yaml()).isEqualTo(grid.yaml()).contains("seed: 77", "lease: 10s", "trials:");
        assertThat(again.resolved()).isEqualTo(grid.resolved());
        assertThat(again.runs()).isEqualTo(grid.runs()).hasSize(6);
    }

    @Test
    void aReferenceTakesTheValueOfTheRun() throws Exception {
        ExperimentGrid grid = grid(GOOD + "labels: {who: ann}\n"
                + "client: {with: {symbol: '${labels.who}-${call}'}}\nsweep: {axes: {labels.who: [bob, eve]}}\n");

        assertThat(grid.resolved())
                .extracting(point -> point.experiment().client().with().get("symbol"))
                .containsExactly("bob-${call}", "eve-${call}");
        assertThat(grid(grid.yaml()).resolved()).isEqualTo(grid.resolved());
    }

    @Test
    void aReferenceToNothingIsAProblem() {
        ExperimentException thrown = catchThrowableOfType(
                ExperimentException.class, () -> Fakes.read(GOOD + "client: {with: {symbol: '${labels.nobody}'}}\n"));

        assertThat(thrown).hasMessageContaining("file.yml:4:25").hasMessageContaining("labels.nobody");
    }

    @Test
    void laterTrialsDifferBySeedAlone() throws Exception {
        ExperimentGrid grid = grid(GOOD, "trials.count=2");
        List<PlannedRun> runs = grid.runs();

        assertThat(runs).extracting(PlannedRun::trial).containsExactly(1, 2);
        assertThat(runs).extracting(PlannedRun::dir).containsExactly("runs/001-trial=1", "runs/002-trial=2");
    }

    @Test
    void pathsBesideTheFileStayThePathsOfTheFile() throws Exception {
        Files.writeString(folder.resolve("serve.sh"), "exit");
        Path file = Files.writeString(
                folder.resolve("f.yml"),
                GOOD + "variants: {old: {service: {start: ./serve.sh, ready: 'log:up', deploy: [serve.sh]}}}\n");

        ExperimentGrid grid = ExperimentFile.content(
                        Files.readString(file), file.toString(), List.of(), Fakes.PLUGINS, Fakes.ENVIRONMENT)
                .grid();

        assertThat(grid.yaml()).contains(folder.resolve("serve.sh").toString());
        assertThat(grid(grid.yaml()).resolved().get(0).experiment().service().deploy())
                .containsExactly(folder.resolve("serve.sh"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sweep: {axes: {client.wiht.depth: [1]}}|file.yml:4:16|Did you mean 'with'",
                "sweep: {axes: {client.with.detph: [1]}}|file.yml:4:16|Did you mean 'depth'",
                "sweep: {axes: {client.with.depth: [1, x]}}|file.yml:4:39|client.with.depth",
                "sweep: {axes: {client.with.depth: 1}}|file.yml:4:35|expected a list of at least one value, or a range",
                "sweep: {axes: {client.with.depth: 9..1 x2}}|file.yml:4:35|increasing",
                "sweep: {axes: {client.with.depth: [1, 1]}}|file.yml:4:39|each value once",
                "sweep: {axes: {client.with.depth: [1]}, except: [detph > 1]}|file.yml:4:50|Did you mean 'depth'",
                "sweep: {axes: {client.with.depth: [1]}, except: [depth > 0]}|file.yml:4:8|because 'except' excludes all points",
                "sweep: {axis: {client.with.depth: [1]}}|file.yml:4:9|Did you mean 'axes'",
                "sweep: {axes: {trials.count: [1]}}|file.yml:4:16|path of a key",
                "trials: {count: 0}|file.yml:4:17|from 1 to 1000",
                "variants: {old: {laod.clients: 1}}|file.yml:4:18|Did you mean 'load'",
                "variants: {old: 3}|file.yml:4:17|key paths with values",
                "swep: {axes: {load.clients: [1]}}|file.yml:4:1|Did you mean 'sweep'"
            })
    void whatIsWrongIsSaidWithItsPlace(String line, String place, String said) {
        String yaml = GOOD + line + "\n";
        ExperimentException thrown = catchThrowableOfType(
                ExperimentException.class,
                () -> ExperimentFile.content(yaml, "file.yml", List.of(), Fakes.PLUGINS, Fakes.ENVIRONMENT));

        assertThat(thrown).hasMessageContaining(place + ":").hasMessageContaining(said);
    }

    @Test
    void aProblemOfSomePointsNamesTheFirst() {
        assertThat(problems(GOOD + "sweep: {axes: {client.with.depth: [1, 200], load.clients: [1, 2]}}\n"))
                .singleElement()
                .asString()
                .contains("at most 100 levels", "(where depth=200, clients=1)");
    }

    @Test
    void whatReadsOneRunRefusesAGrid() {
        ExperimentException thrown =
                catchThrowableOfType(ExperimentException.class, () -> Fakes.read(GOOD + "trials: {count: 3}\n"));

        assertThat(thrown).hasMessageContaining("3 runs");
    }
}
