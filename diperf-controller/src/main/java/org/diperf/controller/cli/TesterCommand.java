package org.diperf.controller.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.diperf.tester.TesterMain;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs one tester in this process. */
@Command(
        name = "tester",
        header = "Runs one tester (load generator) that joins a run by its ticket.",
        description = {
            "",
            "For 'testbed: { kind: manual }': the controller writes a ticket for every tester; take one to a machine that"
                    + " reaches the controller and start the tester there. It carries out its part of the load, ships every"
                    + " call to the controller, and ends when the controller says so. A ticket is a secret."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf tester --ticket tester-1.ticket",
            "  ssh host java -jar diperf-controller.jar tester < tester-1.ticket",
            "",
            "Exit codes:",
            "  0  done                        4  not let in by the controller",
            "  2  bad usage or ticket         5  could not take part",
            "  3  the controller is gone      6  stopped by a signal"
        })
final class TesterCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private Common common = new Common();

    @Option(
            names = "--ticket",
            paramLabel = "FILE",
            description = "The ticket that the controller wrote; - or no option: standard input.")
    private @Nullable Path ticket;

    @Option(
            names = "--plugin",
            paramLabel = "JAR",
            description = "A plugin jar, equal to the controller's; may be given several times.")
    private List<Path> plugins = new ArrayList<>();

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Where it may keep files while it runs. Default: a new temporary folder.")
    private @Nullable Path folder;

    TesterCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<String> args = new ArrayList<>();
        if (ticket != null) {
            args.addAll(List.of("--ticket", ticket.toString()));
        }
        if (folder != null) {
            args.addAll(List.of("--folder", folder.toString()));
        }
        for (Path plugin : plugins) {
            args.addAll(List.of("--plugin", plugin.toString()));
        }
        return TesterMain.run(args, terminal.in(), terminal.out(), terminal.err());
    }
}
