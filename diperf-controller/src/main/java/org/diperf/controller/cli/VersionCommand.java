package org.diperf.controller.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the versions. */
@Command(
        name = "version",
        description = {"Prints the versions of DiPerF and Java, as --version does.", ""},
        footerHeading = "%nExamples:%n",
        footer = {"  diperf version", "", "Exit codes: 0 done, 2 bad usage."})
final class VersionCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        List.of(Version.lines()).forEach(spec.commandLine().getOut()::println);
        return ExitCode.DONE;
    }
}
