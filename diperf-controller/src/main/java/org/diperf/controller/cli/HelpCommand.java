package org.diperf.controller.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.diperf.core.spi.NearestName;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the help of the program or of a command. */
@Command(
        name = "help",
        description = {"Shows the help for a command, like COMMAND --help; without a command, lists all commands.", ""},
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf help",
            "  diperf help run",
            "  diperf help hello --plugins ./my-plugins       a command added by a plugin",
            "",
            "Exit codes: 0 done, 2 no such command.",
        })
final class HelpCommand implements Callable<Integer> {

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "A command, e.g. run or 'runs rm'.")
    List<String> names = new ArrayList<>();

    @Mixin
    PluginOptions pluginOptions;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws UsageException {
        CommandLine found = spec.root().commandLine();
        for (String name : names) {
            CommandLine next = found.getSubcommands().get(name);
            if (next == null) {
                List<String> known = List.copyOf(found.getSubcommands().keySet());
                throw new UsageException("help: no command '" + name + "'"
                        + (known.isEmpty()
                                ? " below '" + found.getCommandSpec().qualifiedName() + "'"
                                : NearestName.suggestion(name, known)));
            }
            found = next;
        }
        found.usage(spec.commandLine().getOut());
        return ExitCode.DONE;
    }
}
