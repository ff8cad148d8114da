package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.diperf.analyzer.figure.Figures;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.fleet.Candidate;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.fleet.NodeSurvey;
import org.diperf.core.experiment.Experiment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at the nodes that an experiment might use. */
@Command(
        name = "nodes",
        description = {
            "Probes all candidate nodes of the testbed in parallel: reachability, cores, memory, load, "
                    + "disk, Java, latency and bandwidth, clock offset. Shows which nodes a run would use, and why it "
                    + "would not use the others. Does not start any testers.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf nodes grid.yml",
            "  diperf nodes grid.yml --set testbed.nodes=4 --set \"testbed.require=load < 2\"",
            "  diperf nodes grid.yml --json",
            "  diperf nodes grid.yml --figures figures",
            "",
            "Exit codes: 0 enough nodes qualify for a run to start; 2 bad usage or experiment file;",
            "3 too few qualify, or they could not be probed.",
        })
final class NodesCommand extends ResultCommand {

    @Parameters(paramLabel = "FILE.yml", description = "An experiment file.")
    Path file;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Override any key in the file, e.g. testbed.nodes=4; repeatable.")
    List<String> sets = new ArrayList<>();

    @Option(
            names = "--figures",
            paramLabel = "DIR",
            description = "Plot the nodes by round-trip time and bandwidth to the service: nodes.png, nodes.svg.")
    @Nullable
    Path figures;

    @Mixin
    PluginOptions pluginOptions;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = stdout();
        PrintWriter err = stderr();
        try (PluginOptions.Loaded loaded = pluginOptions.load(file.toString())) {
            Experiment experiment = Commands.hidden(ExperimentFile.open(file, sets, loaded.plugins()), spec)
                    .first()
                    .experiment();
            Optional<Fleet> looked = NodeSurvey.look(experiment, loaded.plugins(), loaded.jars(), err::println);
            if (looked.isEmpty()) {
                withoutNodes(experiment, out);
                return ExitCode.DONE;
            }
            Fleet fleet = looked.get();
            NodeRows.lines(fleet).forEach(out::println);
            out.println();
            out.println(NodeRows.conclusion(fleet));
            result(NodeRows.values(fleet));
            if (figures != null) {
                draw(fleet, experiment.name(), figures, err);
            }
            return fleet.isEnough() ? ExitCode.DONE : ExitCode.NOT_CARRIED_OUT;
        }
    }

    private static void draw(Fleet fleet, String experiment, Path folder, PrintWriter err) throws IOException {
        Figures.Result drawn =
                Figures.write(fleet.candidates().stream().map(Candidate::node).toList(), experiment, folder);
        if (drawn.problem() != null) {
            err.println("diperf nodes: no figure was drawn: " + drawn.problem());
        } else if (drawn.figures().isEmpty()) {
            err.println("diperf nodes: no figure was drawn: no node has both a round-trip time and a bandwidth to "
                    + "the service; "
                    + "set testbed.bandwidth to measure bandwidth");
        }
    }

    private void withoutNodes(Experiment experiment, PrintWriter out) throws IOException {
        String kind = experiment.testbed().kind();
        int testers = experiment.testbed().testers();
        out.println("A testbed of kind '" + kind + "' has no nodes to choose from: it places its "
                + Numbers.count(testers, "tester") + " itself.");
        result(NodeRows.values(testers, testers, true, List.of()));
    }
}
