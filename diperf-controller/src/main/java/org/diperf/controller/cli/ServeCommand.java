package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.page.RunsPage;
import org.diperf.controller.progress.RunFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the runs of a folder in a browser. */
@Command(
        name = "serve",
        description = {
            "Shows the runs in a folder in a browser until stopped. Lists, searches and sorts them, opens their "
                    + "reports and the live pages of those still running, plots a metric across runs with the same "
                    + "name, and compares two runs. Changes nothing.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf serve",
            "  diperf serve /data/runs --port 5665",
            "",
            "Exit codes: 0 stopped by Ctrl-C or a signal, 2 bad usage, 3 the port is not available.",
        })
final class ServeCommand extends Subcommand {

    private static final int MAX_PORT = 65_535;

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "Folder that contains the run folders. Default: runs.")
    Path dir = RunFolders.RUNS;

    @Option(names = "--port", paramLabel = "N", description = "Port; 0 means any free one. Default: 0.")
    int port;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen on, e.g. 0.0.0.0 so that others can reach it. Viewers then need the link "
                    + "with its token. Default: 127.0.0.1, this machine only.")
    String listen = "127.0.0.1";

    @Override
    public Integer call() throws UsageException, RunFailedException, IOException, InterruptedException {
        if (!Files.isDirectory(dir)) {
            throw new UsageException("serve: no folder " + dir + "; specify one that contains run folders");
        }
        if (port < 0 || port > MAX_PORT) {
            throw new UsageException("serve: --port must be from 0 to " + MAX_PORT + ", got " + port);
        }
        PrintWriter out = stdout();
        CountDownLatch stopped = new CountDownLatch(1);
        try (StopSignals signals = new StopSignals(stopped::countDown);
                StoredRuns runs = new StoredRuns(dir)) {
            // Read before somebody waits for them.
            int found = runs.runs().size();
            try (RunsPage page = open(runs)) {
                out.println("serving " + Numbers.count(found, "run") + " of " + dir + "; press Ctrl-C to stop");
                // On a line of its own, so that nothing behind it is taken for a part of it.
                out.println(page.link());
                out.flush();
                if (page.isOpenToOthers()) {
                    stderr().println("warning: the page is not encrypted; anyone who sees its link can read it");
                    stderr().flush();
                }
                stopped.await();
            }
        }
        return ExitCode.DONE;
    }

    private RunsPage open(StoredRuns runs) throws RunFailedException {
        try {
            return new RunsPage(runs, listen, port);
        } catch (IOException e) {
            throw new RunFailedException(String.valueOf(e.getMessage()), e);
        }
    }
}
