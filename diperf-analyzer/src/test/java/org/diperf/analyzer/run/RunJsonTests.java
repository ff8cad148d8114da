package org.diperf.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.diperf.analyzer.RunFixture;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.OpenLoad.Arrivals;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class RunJsonTests {

    private static final ClientLifetimes STAGGERED = new ClientLifetimes.Staggered(3, 40);

    /** Every kind of load, and of what it is made of. */
    private static final List<Load> LOADS = List.of(
            new ClosedLoad(7, STAGGERED, ThinkTime.NONE, Quota.NONE, OnFailure.CONTINUE, 50),
            new ClosedLoad(7, STAGGERED, new ThinkTime.Fixed(9), new Quota(11, 0), OnFailure.RETIRE_CLIENT, 50),
            new ClosedLoad(7, STAGGERED, new ThinkTime.Exponential(9), new Quota(0, 12), OnFailure.ABORT, 50),
            new ClosedLoad(
                    7,
                    new ClientLifetimes.Ramp(2, 7, 60),
                    new ThinkTime.Uniform(0, 9),
                    Quota.NONE,
                    OnFailure.CONTINUE,
                    50),
            new ClosedLoad(
                    7,
                    new ClientLifetimes.Staggered(0, ClientLifetimes.UNBOUNDED),
                    ThinkTime.NONE,
                    new Quota(7, 0),
                    OnFailure.CONTINUE,
                    50),
            new ClosedLoad(7, STAGGERED, new ThinkTime.Pace(9), Quota.NONE, OnFailure.CONTINUE, 50),
            new OpenLoad(0.1, 2.5, Arrivals.CONSTANT, 30, 40, 6, OnFailure.ABORT, 50),
            new OpenLoad(0, 2.5, Arrivals.POISSON, 0, 40, 6, OnFailure.CONTINUE, 50));

    @TempDir
    private Path folder = Path.of("");

    private Path file() {
        return folder.resolve(RunFiles.RUN);
    }

    static RunRecord run() {
        RunFixture fixture = new RunFixture().tester(1, 0, 0);
        for (int i = 0; i < LOADS.size(); i++) {
            LevelRecord level = i == 1 ? new LevelRecord(7, 3L, "fixed: 3 ns") : null;
            fixture.stage(new StageRecord(i, 10L * i, 10L * i + 10, LOADS.get(i), level, i == 2 ? "lan" : null));
        }
        fixture.stage(new StageRecord(LOADS.size(), 100, 110, null, null, null));
        fixture.warning(Warning.note(Subject.LOAD, "never settled"))
                .warning(Warning.suspect(Subject.SERVICE, "it died"))
                .calibrated("host-1", 41_000, "while the machine was busy");
        return fixture.run();
    }

    @Test
    void aRecordComesBackEqual() throws IOException {
        RunRecord run = run();
        RunJson.write(file(), run);
        assertThat(RunJson.read(file())).isEqualTo(run);
    }

    @Test
    void theListOfLoadsHasEveryKindOfEverything() {
        Set<Object> seen = new HashSet<>();
        for (Load load : LOADS) {
            seen.add(load.getClass());
            if (load instanceof ClosedLoad closed) {
                seen.add(closed.lives().getClass());
                seen.add(closed.think().getClass());
            }
        }
        List<Class<?>> all = Stream.of(Load.class, ClientLifetimes.class, ThinkTime.class)
                .flatMap(type -> Arrays.<Class<?>>stream(type.getPermittedSubclasses()))
                .toList();
        assertThat(seen).containsAll(all);
    }

    @Test
    void aLoadIsWrittenAsItIsPlanned() throws IOException {
        RunJson.write(file(), run());
        assertThat(Files.readString(file()))
                .contains("\"format\" : \"diperf-run/2\"", "\"model\" : \"closed\"", "\"kind\" : \"exponential\"")
                .doesNotContain("limited", "lengthNanos");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/stages/0/load/clients",
                "/stages/1/load/quota/bytes",
                "/spools",
                "/stages/0/startNanos",
                "/seed",
                "/stages"
            })
    void whatARecordCannotBeWithoutIsAskedFor(String path) throws IOException {
        RunJson.write(file(), run());
        ObjectNode tree = (ObjectNode) JsonMapper.shared().readTree(Files.readAllBytes(file()));
        int last = path.lastIndexOf('/');
        ((ObjectNode) tree.at(path.substring(0, last))).remove(path.substring(last + 1));
        Files.writeString(file(), tree.toString());
        assertThatThrownBy(() -> RunJson.read(file()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a run record, or is damaged");
    }

    @Test
    void otherFormatsAreRefused() throws IOException {
        for (String format : List.of("diperf-run/1", "diperf-run/9")) {
            Files.writeString(file(), "{\"format\": \"" + format + "\"}");
            assertThatThrownBy(() -> RunJson.read(file()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("expected format diperf-run/2, got " + format);
        }
    }
}
