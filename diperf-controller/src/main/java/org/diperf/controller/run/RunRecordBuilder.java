package org.diperf.controller.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.controller.course.LoadSchedule;
import org.diperf.controller.fleet.Candidate;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.run.directory.RunOutput;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.Measure;
import org.diperf.core.plan.Stage;
import org.diperf.core.run.FigureRecord;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.run.NodeRecord;
import org.diperf.core.run.ReportRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.RunRecord.StreamRecord;
import org.diperf.core.run.RunRecord.TraceRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.EventKinds;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Node;
import org.jspecify.annotations.Nullable;

/**
 * Makes what {@code run.json} says of a run.
 *
 * @param metrics that calls may have
 * @param division with its plan as far as it has grown
 */
record RunRecordBuilder(
        Experiment experiment, List<Metric> metrics, PlanShares division, LoadSchedule course, String diperfVersion) {

    /**
     * Makes it.
     *
     * @param endNanos on the controller's clock; {@code null}: under way
     * @param facts to show with those of the machine
     * @param monitors that watch the service; {@code null}: none
     * @param loadEndedNanos from which no more calls began, after the start of the run; {@link Long#MAX_VALUE}: as planned
     */
    RunRecord record(
            ClientPlugin plugin,
            RunOutput output,
            End end,
            @Nullable Long endNanos,
            long loadEndedNanos,
            List<TesterRecord> testers,
            Fleet fleet,
            List<Warning> warnings,
            Map<String, String> facts,
            @Nullable List<MonitorRecord> monitors) {
        EventKinds stream = plugin.events();
        Map<String, String> machine = new LinkedHashMap<>(facts);
        machine.putAll(ControllerFacts.read());
        return new RunRecord(
                RunRecord.FORMAT,
                experiment.name(),
                experiment.labels(),
                experiment.seed(),
                diperfVersion,
                output.startedAt(),
                output.startNanos(),
                endNanos,
                end,
                plugin.id(),
                plugin.traits(),
                metrics.stream()
                        .map(metric -> new RunRecord.MetricRecord(metric.name(), metric.unit()))
                        .toList(),
                experiment.script().requestNames(),
                experiment.script().groups().isEmpty()
                        ? null
                        : experiment.script().groups(),
                experiment.targets().each().stream().map(Object::toString).toList(),
                stages(division, course, loadEndedNanos),
                testers,
                record(experiment.measure()),
                experiment.thresholds().stream()
                        .map(threshold -> threshold.that())
                        .toList(),
                new ReportRecord(
                        experiment.report().quantum().toNanos(),
                        experiment.report().smooth().toNanos(),
                        experiment.report().smoothPoints(),
                        experiment.report().perMinute(),
                        experiment.report().figures().stream()
                                .map(figure -> new FigureRecord(figure.left(), figure.right(), figure.title()))
                                .toList(),
                        experiment.report().maxAdded().toNanos()),
                machine,
                output.events(),
                List.copyOf(warnings),
                course.search(),
                fleet.candidates().stream().map(RunRecordBuilder::record).toList(),
                division.records(),
                monitors,
                null,
                null,
                null,
                experiment.script().trace().sent()
                        ? new TraceRecord(experiment.script().trace().link())
                        : null,
                stream == null ? null : new StreamRecord(stream.unit(), stream.kinds()));
    }

    /**
     * Lists the stages that a run has, or had, as they were planned, with their actual ends. Those of groups that had not
     * started yet are among them.
     *
     * @param endedNanos from which no more calls started, after the start of the run; no stage lasts longer
     */
    static List<StageRecord> stages(PlanShares division, LoadSchedule course, long endedNanos) {
        List<StageRecord> records = new ArrayList<>();
        for (PlanShares.Share share : division.shares()) {
            Group group = share.group();
            for (Stage stage : share.plan().stages()) {
                if (group != null || stage.startNanos() < endedNanos || stage.number() == 0) {
                    long end = Math.min(share.plan().endNanos(stage), endedNanos);
                    records.add(new StageRecord(
                            stage.number(),
                            stage.startNanos(),
                            Math.max(stage.startNanos(), end),
                            stage.load(),
                            course.level(stage.number()),
                            group == null ? null : group.name()));
                }
            }
        }
        return List.copyOf(records);
    }

    private static MeasureRecord record(Measure measure) {
        Duration skip = measure.skip();
        return new MeasureRecord(
                measure.window().name().toLowerCase(Locale.ROOT),
                measure.from().toNanos(),
                measure.to().toNanos(),
                skip == null ? MeasureRecord.WHILE_COLD : skip.toNanos());
    }

    private static NodeRecord record(Candidate candidate) {
        Node node = candidate.node();
        return new NodeRecord(
                node.name(), node.labels(), node.measures(), node.facts(), candidate.chosen(), candidate.reason());
    }
}
