package org.diperf.controller.experiment;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.CaptureSettings;
import org.diperf.core.experiment.ClientSettings;
import org.diperf.core.experiment.ClockSettings;
import org.diperf.core.experiment.ControllerSettings;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.Measure;
import org.diperf.core.experiment.MonitorSettings;
import org.diperf.core.experiment.OutputSettings;
import org.diperf.core.experiment.ReportSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.ServiceSettings;
import org.diperf.core.experiment.TestbedSettings;
import org.diperf.core.experiment.Threshold;
import org.diperf.core.plan.CallGroup;
import org.diperf.core.plan.Targets;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * Makes the experiment from the values of its file: fills in the defaults that depend on other values and checks what
 * goes together.
 *
 * @param given what the file gives; the derived defaults are added
 * @param source name of the file
 * @param names that texts of its clients may use
 */
record ExperimentBuilder(
        FormValues given, String source, KnownPlugins plugins, Environment environment, PlaceholderNames names) {

    /** Makes the experiment; {@code null} where there are problems. Used once. */
    @Nullable
    Experiment build() {
        String name = given.getOrElse(ExperimentShape.NAME, () -> nameFrom(source));
        long seed =
                given.getOrElse(ExperimentShape.SEED, () -> environment.seed().getAsLong());
        TestbedKeys testbedKeys = new TestbedKeys(given.get(ExperimentShape.TESTBED), plugins);
        if (given.has(LoadKeys.GROUPS)) {
            testbedKeys.countGroups(LoadKeys.testersOfGroups(given));
        }
        TestbedSettings testbed = testbedKeys.settings(environment.java());
        ControllerSettings controller = ControllerKeys.settings(
                given.get(ExperimentShape.CONTROLLER),
                testbedKeys.arrivesAtLoopback(),
                testbedKeys.usesDatagrams(),
                environment.host());
        LoadForms.Offered offered = LoadKeys.offered(given, testbed.testers());
        if (offered == null) {
            return null;
        }
        LoadSettings load = offered.choice();
        Targets targets = targets();
        testbedKeys.check(testbed, load);
        if (testbed.testers() > 0) {
            TesterCounts.problems(targets, load, testbed.testers(), TesterCounts.UNKNOWN)
                    .forEach(given::problem);
        }
        Measure measure = MeasureKeys.measure(given.get(ExperimentShape.MEASURE), load);
        List<Threshold> thresholds = ThresholdKeys.thresholds(given);
        ReportSettings report = ReportKeys.settings(given.get(ExperimentShape.REPORT));
        Map<String, Path> deploy = deploy();
        FormValues started = given.find(ExperimentShape.SERVICE);
        ServiceSettings service = started == null
                ? null
                : ServiceKeys.settings(
                        started,
                        source,
                        testbedKeys.serviceHost(),
                        testbedKeys.hasOwnNetwork(),
                        targets.each().get(0));
        List<MonitorSettings> monitors = MonitorKeys.settings(given);
        List<OutputSettings> outputs = OutputKeys.settings(given, plugins.outputs());
        ClientSettings client = RequestKeys.settings(given);
        ClientPlugin plugin = plugins.client(client.plugin());
        FormValues shown = given.get(ExperimentShape.CAPTURE);
        Script script = RequestKeys.script(
                given,
                source,
                names,
                load,
                plugins,
                new CaptureSettings((int) (long) shown.get(ExperimentShape.FAILURES), (int)
                        (long) shown.get(ExperimentShape.SLOWEST)),
                TraceKeys.settings(given, plugin));
        new ThresholdKeys(
                        script.requestNames(),
                        script.groups().stream().map(CallGroup::name).toList(),
                        load,
                        plugin,
                        !monitors.isEmpty(),
                        given::problem)
                .check(thresholds);
        RequestKeys.withoutStepsInJava(given);
        if (given.problems() > 0) {
            return null;
        }
        return new Experiment(
                name,
                given.get(ExperimentShape.LABELS),
                seed,
                targets,
                client,
                testbed,
                load,
                offered.spread(),
                measure,
                thresholds,
                report,
                controller,
                new ClockSettings(given.get(ExperimentShape.CLOCK)
                        .get(ExperimentShape.SYNC)
                        .period()),
                given.get(ExperimentShape.UNREACHABLE) == ExperimentShape.Unreachable.CONTINUE,
                deploy,
                service,
                monitors,
                outputs,
                script);
    }

    /** Makes a name of a file's: what no name may hold becomes a hyphen. */
    static String nameFrom(String source) {
        String file = source.replaceFirst(".*[/\\\\]", "").replaceFirst("(?i)(?<=.)\\.(ya?ml|json)$", "");
        String name = file.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|-+$", "");
        return name.isEmpty() ? "experiment" : name.substring(0, Math.min(100, name.length()));
    }

    /** Returns the files to deploy as they are on this machine, and writes them so. */
    private Map<String, Path> deploy() {
        Path folder = Path.of(source).toAbsolutePath().getParent();
        Map<String, String> written = new LinkedHashMap<>();
        Map<String, Path> files = new LinkedHashMap<>();
        given.get(ExperimentShape.DEPLOY).forEach((there, here) -> {
            Path found = folder == null ? Path.of(here) : folder.resolve(here).normalize();
            if (!Files.isReadable(found)) {
                given.problem(ExperimentShape.DEPLOY, "expected a readable file or folder, got none at " + found);
            }
            files.put(there, found);
            written.put(there, found.toString());
        });
        given.put(ExperimentShape.DEPLOY, written);
        return files;
    }

    private Targets targets() {
        Shapes.Either<Url> target = given.get(ExperimentShape.TARGET);
        FormValues several = target.mapping();
        return several == null
                ? Targets.one(requireNonNull(target.word()))
                : new Targets(
                        several.get(ExperimentShape.EACH),
                        several.get(ExperimentShape.ASSIGN),
                        several.get(ExperimentShape.PER));
    }
}
