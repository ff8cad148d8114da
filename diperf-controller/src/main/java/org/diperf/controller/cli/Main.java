package org.diperf.controller.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.run.RunFailedException;
import org.diperf.core.spi.Nearest;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program: finds the command, and turns what goes wrong into a message and an exit code. */
@Command(
        name = "diperf",
        header = "Measures a networked service the way its users meet it.",
        description = {
            "",
            "Testers (load generators) run clients (virtual users) against a service; every call is kept, and the report says"
                    + " how the service answered and whether the numbers can be trusted."
        },
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Version.class,
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf run                                  try it out: a service of our own, a minute at most",
            "  diperf run http://127.0.0.1:8080/ --clients 10 --for 10s",
            "  diperf check experiment.yml                 is the file right, is the target there?",
            "  diperf run experiment.yml --set load.clients=50",
            "",
            "Exit codes:",
            "  0    done; every threshold holds",
            "  2    bad usage or bad experiment file",
            "  3    could not be carried out, was cut short, or no call succeeded",
            "  99   a threshold failed",
            "  130  interrupted (Ctrl-C)      143  terminated",
            "  1    a fault of DiPerF or of the JVM",
            "",
            "'diperf COMMAND --help' says more."
        })
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    @Mixin
    private Common common;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit.")
    private boolean version;

    Main() {
        this.spec = CommandSpec.create();
        this.common = new Common();
    }

    /** Runs the program and ends the JVM with its exit code. */
    public static void main(String[] args) {
        Locale.setDefault(Locale.ROOT);
        System.exit(run(args, Terminal.ofThisProcess(System::getenv)));
    }

    /**
     * Runs the program.
     *
     * @return the exit code
     */
    static int run(String[] args, Terminal terminal) {
        CommandLine line = new CommandLine(new Main())
                .addSubcommand(new RunCommand(terminal))
                .addSubcommand(new CheckCommand(terminal))
                .addSubcommand(new ReportCommand(terminal))
                .addSubcommand(new PluginsCommand(terminal))
                .addSubcommand(new SchemaCommand(terminal))
                .addSubcommand(new TesterCommand(terminal))
                .setOut(new java.io.PrintWriter(terminal.out(), true))
                .setErr(new java.io.PrintWriter(terminal.err(), true))
                .setUsageHelpWidth(Math.max(80, Math.min(terminal.columns(), 120)))
                .setUsageHelpAutoWidth(false)
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        terminal.colour() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler((e, unused) -> badUsage(e, terminal))
                .setExecutionExceptionHandler((e, command, result) -> failed(e, args, terminal));
        return line.execute(args);
    }

    private static int badUsage(ParameterException e, Terminal terminal) {
        CommandLine command = e.getCommandLine();
        terminal.err().println("diperf: " + message(e, command));
        terminal.err().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitStatus.USAGE;
    }

    private static String message(ParameterException e, CommandLine command) {
        if (!(e instanceof UnmatchedArgumentException unmatched) || unmatched.getUnmatched().isEmpty()) {
            return String.valueOf(e.getMessage());
        }
        String found = unmatched.getUnmatched().get(0);
        if (found.startsWith("-")) {
            List<String> options = new ArrayList<>(command.getCommandSpec().optionsMap().keySet());
            options.removeIf(name -> !name.startsWith("--"));
            String name = found.replaceFirst("=.*", "");
            return "unknown option '" + name + "'" + Nearest.suggestion(name, options);
        }
        List<String> commands = List.copyOf(command.getSubcommands().keySet());
        return commands.isEmpty()
                ? "wanted no more arguments, found '" + found + "'"
                : "wanted one of the commands " + commands + ", found '" + found + "'"
                        + Nearest.suggestion(found, commands);
    }

    private static int failed(Exception e, String[] args, Terminal terminal) {
        int code = ExitStatus.OUR_BUG;
        if (e instanceof ExperimentException || e instanceof UsageException) {
            code = ExitStatus.USAGE;
        } else if (e instanceof RunFailedException || e instanceof FailureException) {
            code = ExitStatus.FAILED;
        }
        String message = String.valueOf(e.getMessage());
        boolean trace = Arrays.asList(args).contains(Common.STACKTRACE);
        if (code == ExitStatus.OUR_BUG) {
            terminal.err().println("diperf: a fault of DiPerF, please report it: " + e);
            if (!trace) {
                terminal.err().println("Add " + Common.STACKTRACE + " to see where.");
            }
        } else {
            terminal.err().println(e instanceof ExperimentException ? message : "diperf: " + message);
        }
        if (trace) {
            e.printStackTrace(terminal.err());
        }
        return code;
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "wanted one of the commands " + spec.subcommands().keySet() + ", found none");
    }
}
