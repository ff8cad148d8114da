package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.CaptureSettings;
import org.diperf.core.plan.Targets;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Url;

/** Declares every key of the experiment file, those of its larger sections by the classes that are named after them. */
final class ExperimentShape {

    static final String NAME_PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

    static final Key<String> NAME = Key.optional(
            "name",
            Scalar.text("letters, digits, dots, hyphens and underscores, at most 100", NAME_PATTERN),
            "name of the experiment; default: the file's name");
    static final Key<Map<String, String>> LABELS = Key.withDefault(
            "labels",
            new Shapes.TextMap("a mapping of names to text values"),
            Map.of(),
            "any labels; they are copied into the results");
    static final Key<Long> SEED = Key.optional(
            "seed",
            Scalar.whole("", Long.MIN_VALUE, Long.MAX_VALUE),
            "determines every random choice of the run; default: a new seed, which is recorded");

    static final Key<List<Url>> EACH = Key.required(
            "each", new Shapes.ListOf<>("a list of at least one URL", Quantities.url(), 1), "the services, in order");
    static final Key<Targets.Assign> ASSIGN = Key.withDefault(
            "assign",
            Scalar.oneOf(Targets.Assign.class),
            Targets.Assign.ROUND_ROBIN,
            "which of m targets a unit (see per) uses. round-robin: unit i uses target i mod m; one-to-one: unit i"
                    + " uses target i; all-to-all: call k of client i uses target (i + k) mod m");
    static final Key<Targets.Per> PER = Key.withDefault(
            "per",
            Scalar.oneOf(Targets.Per.class),
            Targets.Per.CLIENT,
            "unit that gets a target: a client, a tester, or a machine that runs testers");
    static final Key<Shapes.Either<Url>> TARGET = Key.required(
            "target",
            new Shapes.WordOrMapping<>(Quantities.url(), Fields.of("targets", EACH, ASSIGN, PER)),
            "the service under test, or several");

    static final Key<FormValues> SERVICE = Key.optional(
            "service",
            ServiceKeys.FIELDS,
            "how the run starts and stops the service under test; default: it is already running");
    static final Key<FormValues> TESTBED =
            Key.section("testbed", TestbedKeys.shape(List.of()), "where testers (load generators) run");
    static final Key<Map<String, String>> DEPLOY = Key.withDefault(
            "deploy",
            new DeployShape(),
            Map.of(),
            "files to send to testers on other machines, into their working folder under the same relative "
                    + "paths; relative to the experiment file");
    static final Key<FormValues> MEASURE =
            Key.section("measure", MeasureKeys.FIELDS, "part of the run that the numbers cover");
    static final Key<FormValues> REPORT = Key.section("report", ReportKeys.FIELDS, "how the report shows the run");
    static final Key<FormValues> CONTROLLER =
            Key.section("controller", ControllerKeys.FIELDS, "how testers reach the controller");

    static final Key<Quantities.Every> SYNC = Key.withDefault(
            "sync",
            Quantities.every(),
            new Quantities.Every(Duration.ZERO),
            "how often a tester compares its clock with the controller's; auto: as often as needed");
    static final Key<FormValues> CLOCK =
            Key.section("clock", Fields.of("the clock", SYNC), "how testers' clocks are compared");

    static final Key<Long> FAILURES = Key.withDefault(
            "failures",
            Scalar.whole("a number of calls", 0, CaptureSettings.MOST),
            (long) CaptureSettings.DEFAULT.failures(),
            "number of failed calls to show for each cause, starting with the first");
    static final Key<Long> SLOWEST = Key.withDefault(
            "slowest",
            Scalar.whole("a number of calls", 0, CaptureSettings.MOST),
            (long) CaptureSettings.DEFAULT.slowest(),
            "number of ok calls to show, starting with the slowest");
    static final Key<FormValues> CAPTURE = Key.section(
            "capture",
            Fields.of("calls to show", FAILURES, SLOWEST),
            "calls that the live page and the report show in full, with what was sent and received; 0: none");

    static final Key<Unreachable> UNREACHABLE = Key.withDefault(
            "unreachable",
            Scalar.oneOf(Unreachable.class),
            Unreachable.STOP,
            "whether the run starts even if a target cannot be reached");

    private ExperimentShape() {}

    /** What follows when a target cannot be reached. */
    enum Unreachable {
        STOP,
        CONTINUE
    }

    static Fields of(KnownPlugins plugins) {
        return of(plugins, Names.NONE, false);
    }

    /**
     * Declares the keys of one file.
     *
     * @param names that texts of its clients may use
     * @param mixed whether parameters that must be given may be given for each request instead
     */
    static Fields of(KnownPlugins plugins, Names names, boolean mixed) {
        return Fields.of(
                        "an experiment",
                        NAME,
                        LABELS,
                        SEED,
                        TARGET,
                        RequestKeys.client(plugins.clients(), names, mixed),
                        RequestKeys.DATA,
                        SERVICE,
                        TESTBED.of(TestbedKeys.shape(plugins.testbeds())),
                        DEPLOY,
                        LoadKeys.LOAD,
                        LoadKeys.GROUPS,
                        MEASURE,
                        ThresholdKeys.THRESHOLDS,
                        REPORT,
                        CONTROLLER,
                        CLOCK,
                        CAPTURE,
                        TraceKeys.TRACE,
                        UNREACHABLE,
                        MonitorKeys.key(plugins.monitors()),
                        OutputKeys.OUTPUTS)
                .and(GridShape.KEYS)
                .needing(LoadKeys.LOAD.name(), LoadKeys.GROUPS.name());
    }

    static List<Key<?>> parameters(List<Parameter> parameters, Names names) {
        return parameters.stream()
                .<Key<?>>map(parameter -> Shapes.PluginParameter.key(parameter, names))
                .toList();
    }
}
