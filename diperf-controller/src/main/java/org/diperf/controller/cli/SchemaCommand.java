package org.diperf.controller.cli;

import java.util.concurrent.Callable;
import org.diperf.controller.experiment.ExperimentFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints the JSON Schema of the experiment file. */
@Command(
        name = "schema",
        header = "Prints the JSON Schema of the experiment file.",
        description = {
            "",
            "The schema (draft 2020-12) knows the parameters of every plugin that is found. Editors use it to complete and"
                    + " check experiment files as they are written."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf schema > diperf.schema.json",
            "  then, as the first line of an experiment file:",
            "  # yaml-language-server: $schema=diperf.schema.json",
            "",
            "Exit codes: 0 done, 2 bad usage."
        })
final class SchemaCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private Common common = new Common();

    @Mixin
    private PluginOption pluginOption = new PluginOption();

    SchemaCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws UsageException, FailureException {
        try (PluginOption.Loaded loaded = pluginOption.load(terminal)) {
            terminal.out().print(ExperimentFile.schema(loaded.plugins()));
            terminal.out().flush();
        }
        return ExitStatus.DONE;
    }
}
