package org.diperf.controller.cli;

import java.util.List;
import picocli.CommandLine.Command;

/** Prints the versions. */
@Command(
        name = "version",
        description = {"Prints the versions of DiPerF and Java, like --version.", ""},
        footerHeading = "%nExamples:%n",
        footer = {"  diperf version", "", "Exit codes: 0 done, 2 bad usage."})
final class VersionCommand extends Subcommand {

    @Override
    public Integer call() {
        List.of(Version.lines()).forEach(stdout()::println);
        return ExitCode.DONE;
    }
}
