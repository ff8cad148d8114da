package org.diperf.controller.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.ControllerSettings;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.FigureSettings;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.LoadTemplate;
import org.diperf.core.experiment.Measure;
import org.diperf.core.experiment.ReportSettings;
import org.diperf.core.experiment.ServiceSettings;
import org.diperf.core.experiment.TestbedSettings;
import org.diperf.core.experiment.Threshold;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class ResolvedExperimentTests {

    private static final String LEAST = "target: quote://h/\nload: {clients: 4, run-for: 10s}\n";

    private static final String FULL = """
            name: full
            labels: { build: 1a2b, yes: "on", number: 007 }
            seed: -42
            target: { each: ["quote://a:1/x?y=1#z", "quotes://b/"], assign: all-to-all, per: tester }
            client:
              plugin: quote
              with:
                symbol: 'a "quoted" ${call} $${x} \\ ü: # text'
                depth: 7
                share: 0.25
                fresh: false
                patience: 250ms
                block: 4MB
                mode: slow
                words: ["05", "true", "", "- x", "a: b", "12:30", "null", "line\\nbreak"]
                headers: { X-Num: 05, "Odd Key:": "~" }
                tree: { list: [1, 2.5, true, "3", {deep: [[1], []]}], empty: {} }
            testbed: { kind: far, host: 10.0.0.1, testers: 2, java: /opt/java, jvm: [] }
            load:
              clients: 10
              start-every: 1.5s
              run-for: 10m
              think: { uniform: [0s, 2s] }
              timeout: 1500us
            measure: { window: 10s..5m, skip: 30s }
            thresholds:
              - response.p99 < 1500ms && failed < 1%
              - { that: failed < 5%, every: 10s, after: 30s, abort: true }
            report: { quantum: 250ms, smooth: 60 points, rate: per-minute }
            controller: { listen: 10.0.0.2, advertise: head.site.org, ports: 20000-20100, lease: 20s, collect: memory }
            unreachable: continue
            """;

    private static Load single(Experiment experiment) {
        return ((LoadSettings.Single) experiment.load()).load();
    }

    @Test
    void theLeastFileGetsEveryDefault() throws ExperimentException {
        Experiment experiment = Fakes.read(LEAST).experiment();
        assertThat(experiment.name()).isEqualTo("file");
        assertThat(experiment.seed()).isEqualTo(77);
        assertThat(experiment.labels()).isEmpty();
        assertThat(experiment.targets()).isEqualTo(Targets.one(Url.of("quote://h/")));
        assertThat(experiment.client().plugin()).isEqualTo("quote");
        assertThat(experiment.client().with())
                .isEqualTo(Map.of(
                        "symbol",
                        "ACME",
                        "depth",
                        5L,
                        "share",
                        0.5,
                        "fresh",
                        true,
                        "patience",
                        "3s",
                        "block",
                        "8KiB",
                        "mode",
                        "fast"));
        assertThat(single(experiment))
                .isEqualTo(new ClosedLoad(4, 0, 10_000_000_000L, ThinkTime.NONE, 30_000_000_000L));
        assertThat(experiment.testbed().kind()).isEqualTo("local");
        assertThat(experiment.testbed().testers()).isEqualTo(1);
        assertThat(experiment.testbed().java()).isEqualTo("/jdk/bin/java");
        assertThat(experiment.testbed().jvm()).anyMatch(flag -> flag.startsWith("-Xmx"));
        assertThat(experiment.measure())
                .isEqualTo(new Measure(Measure.Window.PEAK, Duration.ZERO, Duration.ZERO, Duration.ZERO));
        assertThat(experiment.thresholds()).isEmpty();
        assertThat(experiment.report())
                .isEqualTo(new ReportSettings(
                        Duration.ofSeconds(1), Duration.ofSeconds(60), 0, false, List.of(), Duration.ofMillis(1)));
        assertThat(experiment.controller())
                .isEqualTo(new ControllerSettings("127.0.0.1", "127.0.0.1", 0, 0, Duration.ofSeconds(10), false));
        assertThat(experiment.unreachableContinues()).isFalse();
    }

    @Test
    void figuresOfTheReportAreReadAndWrittenOut() throws ExperimentException {
        String file = "target: quote://h:17/\nload: {clients: 4, run-for: 10s}\n"
                + "report: {figures: [{left: [load, response], right: [throughput, server.cpu], title: Both}, {left: [bytes]}]}\n";

        var read = Fakes.read(file);

        assertThat(read.experiment().report().figures())
                .containsExactly(
                        new FigureSettings(List.of("load", "response"), List.of("throughput", "server.cpu"), "Both"),
                        new FigureSettings(List.of("bytes"), List.of(), null));
        assertThat(Fakes.read(read.yaml()).experiment().report())
                .isEqualTo(read.experiment().report());
    }

    @Test
    void aSeriesThatIsMisspeltInAFigureIsRefusedWithTheNearestName() {
        String file =
                "target: quote://h:17/\nload: {clients: 4, run-for: 10s}\nreport: {figures: [{left: [througput]}]}\n";

        assertThatThrownBy(() -> Fakes.read(file))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining("report.figures.0.left.0")
                .hasMessageContaining("no series 'througput'. Did you mean 'throughput'?")
                .hasMessageContaining("server.METRIC");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h:17", "[::1]:17"})
    void aServiceIsReadyWhenThePortOfTheFirstTargetAcceptsUnlessTheFileSaysOtherwise(String at)
            throws ExperimentException {
        String file = "target: \"quote://" + at + "/\"\nload: {clients: 4, run-for: 10s}\nservice: {start: ./serve}\n";
        ExperimentFile.Resolved read = Fakes.read(file);
        assertThat(read.experiment().service())
                .isEqualTo(new ServiceSettings(
                        "local", "./serve", "tcp://" + at, Duration.ofSeconds(60), "", List.of(), Map.of()));
        assertThat(Fakes.read(read.yaml()).experiment().service())
                .isEqualTo(read.experiment().service());
    }

    @Test
    void everyTextOfAServiceCanBeSetFromOutsideAndIsWrittenOut() throws ExperimentException {
        ExperimentFile.Resolved resolved = Fakes.read(
                LEAST,
                "service.start=./v2 --fast",
                "service.ready=log:up",
                "service.stop=./stop",
                "service.env.MODE=a",
                "service.on=alice@h",
                "service.ready-within=5s");
        ServiceSettings wanted = new ServiceSettings(
                "alice@h", "./v2 --fast", "log:up", Duration.ofSeconds(5), "./stop", List.of(), Map.of("MODE", "a"));
        assertThat(resolved.experiment().service()).isEqualTo(wanted);
        assertThat(Fakes.read(resolved.yaml()).experiment().service()).isEqualTo(wanted);
    }

    @Test
    void aFullFileIsReadAsItStands() throws ExperimentException {
        Experiment experiment = Fakes.read(FULL).experiment();
        assertThat(experiment.seed()).isEqualTo(-42);
        assertThat(experiment.labels()).isEqualTo(Map.of("build", "1a2b", "yes", "on", "number", "007"));
        assertThat(experiment.targets().assign()).isEqualTo(Targets.Assign.ALL_TO_ALL);
        assertThat(experiment.client().with())
                .containsEntry("words", List.of("05", "true", "", "- x", "a: b", "12:30", "null", "line\nbreak"))
                .containsEntry("depth", 7L)
                .containsEntry("fresh", false);
        assertThat(((ClosedLoad) single(experiment)).think()).isEqualTo(new ThinkTime.Uniform(0, 2_000_000_000L));
        assertThat(experiment.load().timeoutNanos()).isEqualTo(1_500_000);
        assertThat(experiment.testbed().with()).isEqualTo(Map.of("host", "10.0.0.1"));
        assertThat(experiment.thresholds())
                .containsExactly(
                        new Threshold("response.p99 < 1500ms && failed < 1%", Duration.ZERO, Duration.ZERO, false),
                        new Threshold("failed < 5%", Duration.ofSeconds(10), Duration.ofSeconds(30), true));
        assertThat(experiment.report().smoothPoints()).isEqualTo(60);
        assertThat(experiment.controller().lastPort()).isEqualTo(20100);
        assertThat(experiment.unreachableContinues()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                LEAST,
                FULL,
                "target: quote://h/\nload: {open: {rate: 0.7/s, ramp: 90s, for: 1h, arrivals: poisson}}\n",
                "target: quote://h/\nload: {open: {rate: 100/min, for: 1ms, max-in-flight: 3, timeout: 1ns}}\n",
                "target: quote://h/\nload: {clients: 1, run-for: 1s, think: {exponential: 1s}}\nreport: {smooth: 1m}\n",
                "target: quote://h/\nload: {clients: 8, calls: 1000, on-failure: retire-client}\n",
                "target: quote://h/\nload: {clients: 8, calls-per-client: 10, run-for: 5s, start-every: 1s}\n",
                "target: quote://h/\nload: {clients: 8, volume: 10GiB, think: 1ms}\n",
                "target: quote://h/\nload: {clients: 8, volume: 1000001}\n",
                "target: quote://h/\nload: {clients: 8, run-for: 5s, pace: 1s}\n",
                "target: quote://h/\nload: {clients: 8, run-for: 5s, start-every: 100ms, end-every: 0s}\n",
                "target: quote://h/\nload: {stages: [{for: 2m, clients: 100}], pace: 250ms}\n",
                "target: quote://h/\nload: {open: {rate: 5/s, for: 1s, on-failure: abort}}\n",
                "target: quote://h/\nload: {stages: [{for: 2m, clients: 100}, {for: 10m}, {for: 2m, clients: 0}]}\n",
                "target: quote://h/\nload: {stages: [{for: 2m, rate: 50/s}, {for: 1m}, {for: 2m, rate: 0/s}],"
                        + " arrivals: poisson, max-in-flight: 7, timeout: 1s}\n",
                "target: quote://h/\nload: {levels: {clients: [1, 2, 4], hold: 60s}, on-failure: abort}\n",
                "target: quote://h/\nload: {open: {rate: 100, for: 1s}}\n",
                "target: quote://h/\nload: {levels: {rate: [10/s, 60/min], hold: 60s, settle: 5s}}\n",
                "target: quote://h/\nload: {search: {rate: 10/s..20000/s, while: [response.p99 < 100ms, failed < 1%]}}\n",
                "target: quote://h/\nload: {search: {clients: 1..4096, while: [throughput.mean > 10/s && failed < 5],"
                        + " hold: 20s, settle: 1s, precision: 1.5%, think: {uniform: [0s, 2s]}}}\n",
                "{\"target\": \"quote://h/\", \"load\": {\"clients\": 2, \"run-for\": \"1s\", \"think\": 0}}"
            })
    void runningTheResolvedFileRepeatsTheExperiment(String yaml) throws ExperimentException {
        ExperimentFile.Resolved first = Fakes.read(yaml);
        // On another machine, at another time: nothing is left to the environment.
        Environment elsewhere = new Environment(name -> null, "/other/java", () -> "other", () -> 1);
        ExperimentFile.Resolved again =
                ExperimentFile.resolve(first.yaml(), "experiment.yml", List.of(), Fakes.PLUGINS, elsewhere);
        assertThat(again.experiment()).isEqualTo(first.experiment());
        assertThat(again.yaml()).isEqualTo(first.yaml());
    }

    /** 60 that is told without its unit may be read as seconds. */
    @Test
    void aTimeWithoutAUnitIsToldInMilliseconds() throws ExperimentException {
        Experiment experiment = Fakes.read(
                        LEAST
                                + "thresholds: [response.p95 < 60, 'failed < 5 && peak.response.max <= 0.5 && throughput > 9']\n")
                .experiment();
        assertThat(experiment.thresholds())
                .extracting(Threshold::that)
                .containsExactly("response.p95 < 60ms", "failed < 5 && peak.response.max <= 0.5ms && throughput > 9");
    }

    @Test
    void aLimitIsPlainOrInTheUnitOfItsNumber() throws ExperimentException {
        List<String> fit = List.of(
                "throughput >= 180/s",
                "throughput >= 180",
                "bytes > 4MB",
                "bandwidth.bytesPerSecond > 8Mbit/s",
                "durationSeconds < 60",
                "failed < 1%",
                "sendLag.p99 < 2ms",
                "verdict == valid");
        Experiment experiment = Fakes.read(LEAST + "thresholds: ['" + String.join("', '", fit) + "']\n")
                .experiment();
        assertThat(experiment.thresholds()).extracting(Threshold::that).containsExactlyElementsOf(fit);
    }

    @Test
    void aPaceStandsInThePlaceOfAThinkTime() throws ExperimentException {
        ExperimentFile.Resolved read = Fakes.read("target: quote://h/\nload: {clients: 20, run-for: 5s, pace: 1s}\n");
        assertThat(((ClosedLoad) single(read.experiment())).think()).isEqualTo(new ThinkTime.Pace(1_000_000_000L));
        assertThat(read.yaml()).contains("pace: 1s").doesNotContain("think:");
        assertThatThrownBy(
                        () -> Fakes.read("target: quote://h/\nload: {clients: 2, run-for: 5s, pace: 1s, think: 1s}\n"))
                .hasMessageContaining("load.pace: expected either 'think' or 'pace'");
    }

    @Test
    void clientsEndAsTheyStartUnlessAskedOtherwise() throws ExperimentException {
        String load = "target: quote://h/\nload: {clients: 5, start-every: 1s, run-for: 4s, end-every: ";
        assertThat(((ClosedLoad) single(Fakes.read(load + "3s}\n").experiment())).lives())
                .isEqualTo(new ClientLifetimes.Staggered(1_000_000_000L, 4_000_000_000L, 3_000_000_000L));
        assertThat(((ClosedLoad) single(
                                Fakes.read(load.replace(", end-every: ", "}\n")).experiment()))
                        .lives())
                .isEqualTo(new ClientLifetimes.Staggered(1_000_000_000L, 4_000_000_000L));
        assertThatThrownBy(() -> Fakes.read(load + "0s}\n"))
                .hasMessageContaining(
                        "load.end-every: expected the last client to end after its start at 4s, got an " + "end at 4s");
    }

    @ParameterizedTest
    @CsvSource({
        "100/s, 2s, 200",
        "1/s, 100ms, 1",
        "0.5/s, 1s, 1",
        "3/s, 500ms, 2",
        "100/s, 30s, 1000",
        "5000/s, 30s, 5000",
        "20000/s, 30s, 10000"
    })
    void callsInFlightAreBoundByRateTimesTimeoutAndByWhatAServiceCanHold(String rate, String timeout, int expected)
            throws ExperimentException {
        OpenLoad load = (OpenLoad) single(Fakes.read(
                        "target: quote://h/\nload: {open: {rate: " + rate + ", for: 1s, timeout: " + timeout + "}}\n")
                .experiment());
        assertThat(load.maxInFlight()).isEqualTo(expected);
    }

    @Test
    void aSearchIsReadWithItsDefaults() throws ExperimentException {
        LoadSettings load = Fakes.read(
                        "target: quote://h/\nload: {search: {rate: 10/s..20000/s, while: [failed < 1%]}}\n")
                .experiment()
                .load();
        assertThat(load)
                .isEqualTo(new LoadSettings.Search(
                        new LoadTemplate.Rate(OpenLoad.Arrivals.CONSTANT, 10_000, OnFailure.CONTINUE, 30_000_000_000L),
                        10,
                        20_000,
                        List.of("failed < 1%"),
                        Duration.ofSeconds(10),
                        null,
                        0.05));
        assertThat(load.lengthNanos()).isEmpty();
        assertThat(load.longestNanos()).isPresent();
    }

    @Test
    void callsAreSharedOutAndEndTheLoad() throws ExperimentException {
        LoadSettings load = Fakes.read("target: quote://h/\nload: {clients: 8, calls-per-client: 10}\n")
                .experiment()
                .load();
        ClosedLoad closed = (ClosedLoad) ((LoadSettings.Single) load).load();
        assertThat(closed.quota()).isEqualTo(new Quota(80, 0));
        assertThat(load.longestNanos()).isEmpty();
    }

    @Test
    void everyTesterMayHaveACallInFlight() throws ExperimentException {
        String yaml = "target: quote://h/\ntestbed: {testers: 3}\nload: {open: {rate: 1/s, for: 1s, timeout: 1s}}\n";
        assertThat(Fakes.read(yaml).experiment().load().clients()).isEqualTo(3);
    }

    @Test
    void testersElsewhereReachTheControllerByItsName() throws ExperimentException {
        ControllerSettings controller = Fakes.read(LEAST + "testbed: {kind: far, host: x}\n")
                .experiment()
                .controller();
        assertThat(controller.listen()).isEqualTo("0.0.0.0");
        assertThat(controller.advertise()).isEqualTo("head");
    }

    @Test
    void aTestbedThatDoesNotKnowItsNodesMayHaveAParameterOfThatName() throws ExperimentException {
        TestbedSettings testbed = Fakes.read(LEAST + "testbed: {kind: far, host: x, nodes: 3}\n")
                .experiment()
                .testbed();
        assertThat(testbed.with()).containsEntry("nodes", 3L);
        assertThat(testbed.fleet().nodes()).isZero();
    }

    @Test
    void theEnvironmentIsFilledInAndEscapedPlaceholdersStay() throws ExperimentException {
        Experiment experiment = Fakes.read("""
                        target: "${env:TARGET}"
                        client: { with: { symbol: "x${env:COUNT}$${env:COUNT}" } }
                        load: { clients: "${env:COUNT}", run-for: 1s }
                        """).experiment();
        assertThat(experiment.targets().each()).containsExactly(Url.of("quote://from-env/"));
        assertThat(experiment.load().clients()).isEqualTo(7);
        assertThat(experiment.client().with()).containsEntry("symbol", "x7$${env:COUNT}");
    }

    @ParameterizedTest
    @CsvSource({
        "dir/orders.yml, orders",
        "orders.YAML, orders",
        "my file (2).json, my-file-2",
        ".yml, yml",
        "..., experiment",
        "a.b.yml, a.b"
    })
    void theNameComesFromTheFiles(String file, String name) {
        assertThat(ExperimentBuilder.nameFrom(file)).isEqualTo(name);
    }

    @Test
    void aSettingGoesOverTheFileAndMakesWhatIsMissing() throws ExperimentException {
        Experiment experiment = Fakes.read(
                        LEAST + "thresholds: [failed < 1%]\n",
                        "load.clients=50",
                        "client.with.symbol=XYZ",
                        "thresholds.0=failed < 2%",
                        "thresholds.1={that: failed < 9, every: 1s}",
                        "labels.a=b",
                        "report={quantum: 2s}",
                        "testbed.jvm.0=-Xmx1g")
                .experiment();
        assertThat(experiment.load().clients()).isEqualTo(50);
        assertThat(experiment.client().with()).containsEntry("symbol", "XYZ");
        assertThat(experiment.thresholds()).extracting(Threshold::that).containsExactly("failed < 2%", "failed < 9");
        assertThat(experiment.labels()).isEqualTo(Map.of("a", "b"));
        assertThat(experiment.report().quantum()).isEqualTo(Duration.ofSeconds(2));
        assertThat(experiment.testbed().jvm()).containsExactly("-Xmx1g");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "load.clients=many | --set load.clients=many: load.clients: expected a whole number",
                "laod.clients=5 | got 'laod'. Did you mean 'load'?",
                "load.clients | --set load.clients: expected PATH=VALUE such as load.clients=10",
                "=5 | expected PATH=VALUE",
                "thresholds.5=failed < 1 | expected one of",
                "load.clients= | load.clients: expected a whole number of clients from 1 to 1000000, got nothing",
                "load.clients=[1 | --set load.clients=[1: not YAML or JSON",
                "name=${env:UNSET} | variable 'UNSET'"
            })
    void aBadSettingIsNamed(String set, String message) {
        String wanted = set.startsWith("thresholds") ? "from 0 to 0" : message;
        assertThatThrownBy(() -> Fakes.read(LEAST + "thresholds: []\n", set))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining(wanted);
    }
}
