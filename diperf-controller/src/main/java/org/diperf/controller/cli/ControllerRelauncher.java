package org.diperf.controller.cli;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.TestbedPlugin;

/** Has a command carried out where its testbed can be opened, such as in a virtual machine. Stateless. */
final class ControllerRelauncher {

    private ControllerRelauncher() {}

    /**
     * Carries out the command of this process elsewhere, if its testbed wants that. Signals for this process are for that one then.
     *
     * @param arguments of this process
     * @return its exit code; empty: it is to be carried out here
     */
    static OptionalInt carryOut(Experiment experiment, Plugins plugins, List<String> arguments)
            throws IOException, InterruptedException {
        TestbedPlugin kind =
                plugins.testbeds().plugin(experiment.testbed().kind()).orElse(null);
        if (kind == null) {
            return OptionalInt.empty();
        }
        Parameters with =
                Parameters.read(kind.parameters(), experiment.testbed().with(), experiment.seed());
        try (ScratchFolder scratch = ScratchFolder.temporary()) {
            List<String> wrapped = kind.wrap(with, command(arguments), scratch.path());
            return wrapped.isEmpty() ? OptionalInt.empty() : OptionalInt.of(follow(wrapped));
        }
    }

    private static int follow(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (Writer signals = process.outputWriter(StandardCharsets.US_ASCII);
                StopSignals received = new StopSignals(signal -> send(signal, signals))) {
            return process.waitFor();
        }
    }

    private static void send(String signal, Writer to) {
        try {
            to.write(signal + "\n");
            to.flush();
        } catch (IOException e) {
            // It has ended by itself.
            return;
        }
    }

    /** Returns what starts this program again, with properties that it was given. */
    private static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-D"))
                .forEach(command::add);
        command.add("-cp");
        command.add(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator)));
        command.add(Main.class.getName());
        command.addAll(arguments);
        return command;
    }
}
