package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.diperf.analyzer.files.SummaryFile;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** A command with a result for people or, with {@code --json}, for programs too, on a standard output that has nothing else then. */
abstract class ResultCommand extends Subcommand {

    @Option(
            names = "--json",
            description = "Print the result as one JSON document; all other text goes to standard error.")
    boolean json;

    /** Returns where text for people goes. */
    @Override
    PrintWriter stdout() {
        return json ? stderr() : super.stdout();
    }

    /**
     * Prints the result for programs, where they want it.
     *
     * @param tree a record, or names with values
     */
    final void result(Object tree) throws IOException {
        if (json) {
            super.stdout().println(SummaryFile.json(tree));
        }
    }

    /** Prints what is in the summary of a run, or of several. */
    final int result(Path folder, int code) throws IOException {
        if (json && Files.isRegularFile(folder.resolve(SummaryFile.NAME))) {
            result(ofRun(folder, code));
        }
        return code;
    }

    /** Adds a number with its interval, where there is one. */
    static void put(Map<String, Object> values, String name, double value, double low, double high) {
        if (Double.isFinite(value) && Double.isFinite(low) && Double.isFinite(high)) {
            values.put(name, Map.of("value", value, "low", low, "high", high));
        }
    }

    static Map<String, Object> ofRun(Path folder, int code) throws IOException {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("folder", folder.toAbsolutePath().normalize().toString());
        run.put("exit", code);
        run.put("summary", JsonMapper.shared().readTree(Files.readAllBytes(folder.resolve(SummaryFile.NAME))));
        return run;
    }
}
