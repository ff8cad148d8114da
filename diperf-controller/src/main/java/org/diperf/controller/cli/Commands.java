package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.experiment.Mask;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.spi.Nearest;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program {@code diperf} with its commands. */
@Command(
        name = "diperf",
        description = {
            "Measures a networked service the way its users experience it: testers (load generators) run clients"
                    + " (virtual users) against the service, every call is recorded on one clock, and the report says"
                    + " how much load the service can take and whether the numbers can be trusted.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf run                                    measure a built-in service for half a minute",
            "  diperf run http://127.0.0.1:8080/ --clients 20 --for 30s",
            "  diperf run orders.yml --set load.clients=200",
            "  diperf check orders.yml                       show what would happen, without any load",
            "  diperf report runs/latest                     analyse the last run again",
            "  diperf compare runs/before runs/after         what changed, and how certain that is",
            "",
            "Exit codes: 0 done, 2 bad usage or experiment file, 3 the run failed or no call succeeded,",
            "99 a threshold failed, 130 interrupted, 143 terminated.",
        },
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Commands.Versions.class,
        subcommands = {
            RunCommand.class,
            CheckCommand.class,
            ReportCommand.class,
            CompareCommand.class,
            PredictCommand.class,
            VerifyCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            PluginsCommand.class,
            NodesCommand.class,
            SchemaCommand.class,
            TesterCommand.class,
            RelayCommand.class,
            TimeServerCommand.class
        })
final class Commands implements Callable<Integer> {

    private static final int PLACES = 3;

    @Option(names = "--version", versionHelp = true, description = "Print the versions of DiPerF and Java.")
    boolean version;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    boolean help;

    @Option(names = "--stacktrace", scope = ScopeType.INHERIT, description = "Print the stack trace of an error.")
    boolean stacktrace;

    @Spec
    CommandSpec spec;

    private final Mask mask;

    private Commands(Mask mask) {
        this.mask = mask;
    }

    /**
     * Runs a command.
     *
     * @param out where results go
     * @param err where errors and progress go
     * @param mask that is over both; learns the secrets of the experiments that the command reads
     * @return the exit code
     */
    static int run(String[] args, PrintWriter out, PrintWriter err, Mask mask) {
        return run(args, out, err, mask, FileSystems.getDefault());
    }

    /** @param files where the paths among the arguments lie */
    static int run(String[] args, PrintWriter out, PrintWriter err, Mask mask, FileSystem files) {
        Commands main = new Commands(mask);
        CommandLine commands = new CommandLine(main)
                .setOut(out)
                .setErr(err)
                .setUsageHelpWidth(100)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Commands::badUsage)
                .registerConverter(Path.class, files::getPath)
                .setExecutionExceptionHandler((thrown, command, parsed) -> main.failed(thrown, err, files, args));
        int code = commands.execute(args);
        out.flush();
        err.flush();
        return code;
    }

    /** Returns what hides secrets in the outputs of a command. */
    static Mask mask(CommandSpec command) {
        return ((Commands) command.root().userObject()).mask;
    }

    /** Hides the secrets of an experiment, or of all of a grid, in the outputs of a command; returns what it was given. */
    static ExperimentFile.Content hidden(ExperimentFile.Content content, CommandSpec command) {
        Mask mask = mask(command);
        mask.hide(content.first().experiment().script().secrets());
        if (content.grid() != null) {
            content.grid()
                    .resolved()
                    .forEach(point -> mask.hide(point.experiment().script().secrets()));
        }
        return content;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.USAGE;
    }

    private static int badUsage(CommandLine.ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(command.getCommandName() + ": " + message(e, command));
        err.println("See: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private static String message(CommandLine.ParameterException e, CommandLine command) {
        if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return String.valueOf(e.getMessage());
        }
        String found = unmatched.getUnmatched().get(0);
        if (found.startsWith("-")) {
            String name = found.replaceFirst("=.*", "");
            List<String> options = command.getCommandSpec().optionsMap().keySet().stream()
                    .filter(option -> option.startsWith("--"))
                    .toList();
            return "wanted an option that exists, found '" + name + "'" + Nearest.suggestion(name, options);
        }
        List<String> commands = List.copyOf(command.getSubcommands().keySet());
        return commands.isEmpty()
                ? "wanted no more arguments, found '" + found + "'"
                : "wanted one of " + commands + ", found '" + found + "'" + Nearest.suggestion(found, commands);
    }

    private int failed(Exception thrown, PrintWriter err, FileSystem files, String[] args) {
        if (stacktrace) {
            thrown.printStackTrace(err);
        }
        if (thrown instanceof ExperimentException || thrown instanceof UsageException) {
            err.println(thrown.getMessage());
            return ExitCode.USAGE;
        }
        if (thrown instanceof InvalidPathException path) {
            err.println("diperf: wanted a valid path, found an invalid one: " + path.getReason() + " in '"
                    + path.getInput() + "'; check its characters, and the locale (LC_ALL) if they are right");
            return ExitCode.USAGE;
        }
        if (thrown instanceof RunFailedException
                || thrown instanceof IOException
                || thrown instanceof UncheckedIOException) {
            err.println("diperf: " + said(thrown, files, args));
            return ExitCode.NOT_CARRIED_OUT;
        }
        err.println("diperf: a bug: " + thrown + place(thrown)
                + ". Please report this line, or better what --stacktrace prints");
        return ExitCode.BUG;
    }

    /** Says what happened; of a disk that is full or fails also what to do. */
    private static String said(Exception thrown, FileSystem files, String[] args) {
        DiskFailure failure = DiskFailure.of(thrown, files.getPath(""));
        if (thrown instanceof RunFailedException || !failure.isOfDisk()) {
            return String.valueOf(thrown.getMessage());
        }
        // What is set may be nobody else's business.
        String again = Stream.of(args).map(Commands::quoted).collect(Collectors.joining(" "));
        return "wanted to write all files, found: " + failure.found() + ". Nothing was lost: " + failure.remedy()
                + ", and give the same command again" + (again.contains("--set") ? "" : ": diperf " + again);
    }

    private static String quoted(String argument) {
        return argument.matches("[A-Za-z0-9_./:@%+,=-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }

    /** Returns the innermost place, and those of ours, which tell most of a bug that does not come again. */
    private static String place(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        StackTraceElement[] frames = cause.getStackTrace();
        return IntStream.range(0, frames.length)
                .filter(i -> i == 0 || frames[i].getClassName().startsWith("org.diperf."))
                .limit(PLACES)
                .mapToObj(i -> frames[i])
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .collect(Collectors.joining(" < ", " at ", ""));
    }

    static final class Versions implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return Version.lines();
        }
    }
}
