package org.diperf.controller.cli;

import java.util.ArrayList;
import java.util.List;
import org.diperf.tester.TesterMain;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One tester, started by hand. */
@Command(
        name = "tester",
        description = {
            "Runs one tester (load generator), which joins a run with its ticket. An experiment with "
                    + "testbed: { kind: manual } writes one ticket per tester and waits for them. A ticket is a "
                    + "secret.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf tester --ticket tester-1.ticket",
            "  ssh host java -jar diperf-controller.jar tester < tester-1.ticket",
            "",
            "Exit codes: 0 done, 2 bad usage or ticket, 3 the controller is gone, 4 refused by the controller,",
            "5 could not take part, 6 stopped by a signal.",
        })
final class TesterCommand extends Subcommand {

    @Option(
            names = "--ticket",
            paramLabel = "FILE",
            defaultValue = "-",
            description = "Ticket file. Default: - (standard input).")
    String ticket = "-";

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Folder for the tester's files while it runs. Default: a new temporary folder.")
    @Nullable
    String folder;

    @Option(
            names = "--spool",
            paramLabel = "DIR",
            description = "Folder for samples that the controller did not acknowledge, as tester-N.spool. Default: "
                    + "--folder. Add them to the run with: diperf run --resume RUN_DIR --spool FILE")
    @Nullable
    String spool;

    @Mixin
    PluginOptions pluginOptions;

    @Override
    public Integer call() throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--ticket", ticket));
        if (folder != null) {
            arguments.addAll(List.of("--folder", folder));
        }
        if (spool != null) {
            arguments.addAll(List.of("--spool", spool));
        }
        try (PluginOptions.Loaded loaded = pluginOptions.load()) {
            for (var jar : loaded.jars()) {
                arguments.addAll(List.of("--plugin", jar.toString()));
            }
        }
        return TesterMain.run(arguments, System.in, System.out, System.err, Commands.mask(spec));
    }
}
