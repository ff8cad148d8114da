package org.diperf.controller.cli;

import org.diperf.controller.experiment.ExperimentFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints what an experiment file may hold. */
@Command(
        name = "schema",
        description = {"Prints a JSON Schema of the experiment file, including the parameters of all plugins.", ""},
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf schema > diperf.schema.json",
            "  then put this on the first line of an experiment file, for editors that support YAML schemas,",
            "  as init does:",
            "  # yaml-language-server: $schema=diperf.schema.json",
            "",
            "Exit codes: 0 done, 2 bad usage.",
        })
final class SchemaCommand extends Subcommand {

    @Mixin
    PluginOptions pluginOptions;

    @Override
    public Integer call() throws Exception {
        try (PluginOptions.Loaded loaded = pluginOptions.load()) {
            stdout().println(ExperimentFile.schema(loaded.plugins()));
            return ExitCode.DONE;
        }
    }
}
