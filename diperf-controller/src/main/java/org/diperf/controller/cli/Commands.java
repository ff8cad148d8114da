package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.experiment.ExperimentGrid;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.experiment.SecretMask;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.CommandContext.Watcher;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.NearestName;
import org.jspecify.annotations.Nullable;
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
            "Measures a networked service the way its users experience it: testers (load generators) run "
                    + "clients (virtual users) against the service, every call is recorded on one clock, and the "
                    + "report shows how much load the service can take and whether the numbers can be trusted.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf run                                    measure a built-in service for half a minute",
            "  diperf run localhost:8080 --clients 20 --for 30s",
            "  diperf init orders --target localhost:8080    write a commented experiment file, orders.yml",
            "  diperf run orders.yml --set load.clients=200",
            "  diperf check orders.yml                       show what a run would do, without any load",
            "  diperf report                                 analyse the last run again",
            "  diperf compare                                show what changed since the previous run",
            "  diperf runs                                   list runs",
            "",
            "Exit codes: 0 done, 2 bad usage or experiment file, 3 the run failed, no call succeeded or a",
            "threshold is undecided, 99 a threshold failed, 130 interrupted, 143 terminated.",
        },
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Commands.Versions.class)
final class Commands implements Callable<Integer> {

    /** In the order of the help. */
    private static final List<Map.Entry<String, Class<?>>> COMMANDS = List.of(
            Map.entry("run", RunCommand.class),
            Map.entry("check", CheckCommand.class),
            Map.entry("try", TryCommand.class),
            Map.entry("init", InitCommand.class),
            Map.entry("report", ReportCommand.class),
            Map.entry("runs", RunsCommand.class),
            Map.entry("serve", ServeCommand.class),
            Map.entry("compare", CompareCommand.class),
            Map.entry("predict", PredictCommand.class),
            Map.entry("capacity", CapacityCommand.class),
            Map.entry("verify", VerifyCommand.class),
            Map.entry("export", ExportCommand.class),
            Map.entry("plugins", PluginsCommand.class),
            Map.entry("nodes", NodesCommand.class),
            Map.entry("calibrate", CalibrateCommand.class),
            Map.entry("schema", SchemaCommand.class),
            Map.entry("completion", CompletionCommand.class),
            Map.entry("help", HelpCommand.class),
            Map.entry("version", VersionCommand.class),
            Map.entry("tester", TesterCommand.class),
            Map.entry("relay", RelayCommand.class),
            Map.entry("time-server", TimeServerCommand.class),
            Map.entry("server", ServerCommand.class));

    /** What shows other commands than itself. */
    private static final Set<String> SHOW_ALL = Set.of("help", "completion");

    /** Arguments that alone list the commands. */
    private static final Set<String> LIST = Set.of("help", "-h", "--help");

    /** Commands of which plugins may have parts. */
    private static final Set<String> WITH_PARTS = Set.of("init", "predict");

    private static final int PLACES = 3;
    private static final Pattern ONE_HYPHEN = Pattern.compile("(-[a-z][a-z-]{2,})(?:=.*)?", Pattern.DOTALL);
    private static final Set<String> TAKE_EXPERIMENTS = Set.of("run", "check", "try");

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

    private final SecretMask mask;
    private final List<PackCommand> parts = new ArrayList<>();
    /** Where the paths among the arguments lie. */
    private FileSystem files = FileSystems.getDefault();
    /** {@code null}: nobody watches. */
    private @Nullable Watcher watcher;

    Commands(SecretMask mask) {
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
    static int run(String[] args, PrintWriter out, PrintWriter err, SecretMask mask) {
        return run(args, out, err, mask, FileSystems.getDefault());
    }

    /** @param files where the paths among the arguments lie */
    static int run(String[] args, PrintWriter out, PrintWriter err, SecretMask mask, FileSystem files) {
        Commands main = new Commands(mask);
        main.files = files;
        for (String argument : args) {
            // The JVM has put it there for what it could not decode.
            if (argument.indexOf('\uFFFD') >= 0) {
                err.println("diperf: expected text in the argument '" + argument
                        + "', got bytes that the locale cannot decode; set a UTF-8 locale: LC_ALL=C.UTF-8");
                err.flush();
                return ExitCode.USAGE;
            }
        }
        if (isKnown(called(args)) && !WITH_PARTS.contains(args[0])) {
            return main.execute(Plugins.none(), args, out, err);
        }
        try (PluginOptions.Loaded packs = PluginOptions.among(args).load()) {
            return main.execute(packs.plugins(), args, out, err);
        } catch (UsageException | IOException e) {
            return main.failed(e, err, args);
        }
    }

    /** Runs a command for somebody who watches it. */
    static int run(List<String> arguments, Watcher watcher, SecretMask mask) {
        Commands main = new Commands(mask);
        main.watcher = watcher;
        PrintWriter out = mask.over(lines(watcher::out));
        PrintWriter err = mask.over(lines(watcher::err));
        return main.execute(Plugins.none(), arguments.toArray(String[]::new), out, err);
    }

    /** Gives away what a mask passes on, which is whole lines. */
    private static PrintWriter lines(Consumer<String> to) {
        return new PrintWriter(Writer.nullWriter()) {
            @Override
            public void print(@Nullable String line) {
                String.valueOf(line).lines().forEach(to);
            }
        };
    }

    /** Returns whether somebody watches a command. */
    static boolean isWatched(CommandSpec command) {
        return ((Commands) command.root().userObject()).watcher != null;
    }

    private int execute(Plugins packs, String[] args, PrintWriter out, PrintWriter err) {
        CommandLine commands = program(this, packs, args.length == 0 ? new String[] {"--help"} : args)
                .setOut(out)
                .setErr(err)
                // --body @FILE is a body, not more arguments.
                .setExpandAtFiles(false)
                .setUsageHelpWidth(100)
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        Terminal.colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Commands::badUsage)
                .registerConverter(Path.class, files::getPath)
                .setExecutionStrategy(this::carryOut)
                .setExecutionExceptionHandler((thrown, command, parsed) -> failed(thrown, err, args));
        Map<String, CommandLine.IHelpSectionRenderer> help = commands.getHelpSectionMap();
        help.replaceAll((key, section) -> of -> section.render(of).replace("\u001b", SecretMask.ESCAPE));
        commands.setHelpSectionMap(help);
        if (called(args).equals("init")) {
            // Before its options are read: that of a starter that cannot be used is none.
            Subcommand.warnOfBroken(packs, err);
        }
        String hyphen = oneHyphen(commands, args);
        if (hyphen != null) {
            err.println(hyphen);
            err.flush();
            return ExitCode.USAGE;
        }
        int code = commands.execute(args);
        out.flush();
        err.flush();
        return code;
    }

    /** Carries out the last command that was named, or the part of it of which there is an option. */
    private int carryOut(CommandLine.ParseResult parsed) {
        CommandLine.ParseResult command = parsed.subcommand();
        for (PackCommand part : parts) {
            if (command != null && !command.isUsageHelpRequested() && part.isGiven(command)) {
                try {
                    return part.call();
                } catch (Exception e) {
                    throw new CommandLine.ExecutionException(spec.commandLine(), String.valueOf(e.getMessage()), e);
                }
            }
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static String called(String[] args) {
        return args.length == 0 || SHOW_ALL.contains(args[0]) ? "" : args[0];
    }

    private static boolean isKnown(String called) {
        return COMMANDS.stream().anyMatch(command -> command.getKey().equals(called));
    }

    /**
     * Makes the program, with no other command than the one that is called where that is enough, and without options of
     * commands that are only listed: to look at the options of all takes as long as to start a JVM.
     */
    static CommandLine program(Commands main, Plugins packs, String... args) {
        CommandLine program = new CommandLine(main);
        String called = called(args);
        boolean list = args.length == 1 && LIST.contains(args[0]);
        for (Map.Entry<String, Class<?>> command : COMMANDS) {
            String name = command.getKey();
            if (list && !name.equals("help")) {
                CommandSpec outline = CommandSpec.create();
                outline.usageMessage()
                        .description(
                                command.getValue().getAnnotation(Command.class).description());
                program.addSubcommand(name, outline);
            } else if (!isKnown(called) || name.equals(called)) {
                program.addSubcommand(name, command.getValue());
            }
        }
        CommandLine init = program.getSubcommands().get("init");
        if (init != null) {
            InitCommand.add(packs.starters().plugins(), init.getCommandSpec());
        }
        for (CommandPlugin pack : packs.commands().plugins()) {
            CommandLine whole = program.getSubcommands().get(pack.partOf());
            if (whole != null && !list) {
                main.parts.add(PackCommand.part(pack, packs, whole.getCommandSpec()));
            } else if (pack.partOf().isEmpty() && !isKnown(called) && !isKnown(pack.id())) {
                program.addSubcommand(pack.id(), PackCommand.of(pack, packs));
            }
        }
        return program;
    }

    /** Returns the path that an argument of a command names. */
    static Path path(String argument, CommandSpec command) {
        return ((Commands) command.root().userObject()).files.getPath(argument);
    }

    /** Returns what hides secrets in the outputs of a command. */
    static SecretMask mask(CommandSpec command) {
        return ((Commands) command.root().userObject()).mask;
    }

    /**
     * Hides the secrets of an experiment, or of all of a grid, in the outputs of a command, and shows it to who watches; returns
     * what it was given.
     */
    static ExperimentFile.Content hidden(ExperimentFile.Content content, CommandSpec command) throws UsageException {
        ExperimentGrid grid = content.grid();
        List<ExperimentFile.Resolved> runs = grid == null
                ? List.of(content.first())
                : grid.runs().stream()
                        .map(run -> grid.resolved().get(run.point().index()))
                        .toList();
        SecretMask mask = mask(command);
        Watcher watcher = ((Commands) command.root().userObject()).watcher;
        for (ExperimentFile.Resolved run : runs) {
            mask.hide(run.experiment().script().secrets());
            if (watcher != null) {
                OptionalLong nanos = run.experiment().load().longestNanos();
                Optional<Duration> longest =
                        nanos.isPresent() ? Optional.of(Duration.ofNanos(nanos.getAsLong())) : Optional.empty();
                UsageException.reading("refused", () -> {
                    watcher.admit(run.keys(), longest);
                    return content;
                });
            }
        }
        return content;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.USAGE;
    }

    /**
     * Says what is wrong with an option of several letters after a single hyphen, as some tools have them: it would be taken
     * for a short option with its value, such as {@code -r ate}.
     *
     * @return {@code null}: there is none
     */
    private static @Nullable String oneHyphen(CommandLine program, String[] args) {
        CommandLine command = args.length == 0 ? null : program.getSubcommands().get(args[0]);
        if (command == null) {
            return null;
        }
        for (int i = 1; i < args.length && !args[i].equals("--"); i++) {
            Matcher found = ONE_HYPHEN.matcher(args[i]);
            String meant = found.matches() ? "-" + found.group(1) : "";
            boolean exists = command.getCommandSpec().optionsMap().containsKey(meant);
            String theirs = TAKE_EXPERIMENTS.contains(args[0]) ? OptionHints.hint(meant) : null;
            if (exists || theirs != null) {
                return args[0] + ": unknown option " + found.group(1) + "; "
                        + (exists ? "long options start with two hyphens: " + meant : theirs);
            }
        }
        return null;
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
            boolean known = TAKE_EXPERIMENTS.contains(command.getCommandName());
            String near = NearestName.suggestion(name, options);
            String theirs = known ? OptionHints.hint(name) : null;
            if (known && theirs == null && near.isEmpty()) {
                theirs = OptionHints.hintOfNearest(name);
            }
            return "unknown option " + name + (theirs == null ? near : "; " + theirs);
        }
        List<String> commands = List.copyOf(command.getSubcommands().keySet());
        return commands.isEmpty()
                ? "unexpected argument '" + found + "'"
                : "unknown command '" + found + "'" + NearestName.suggestion(found, commands)
                        + (NearestName.suggestion(found, commands).isEmpty() ? ". " : " ") + "Commands: "
                        + String.join(", ", commands);
    }

    private int failed(Exception thrown, PrintWriter err, String[] args) {
        if (stacktrace) {
            thrown.printStackTrace(err);
        }
        if (thrown instanceof ExperimentException || thrown instanceof UsageException) {
            err.println(thrown.getMessage());
            return ExitCode.USAGE;
        }
        if (thrown instanceof InvalidPathException path) {
            err.println("diperf: invalid path: " + path.getReason() + " in '" + path.getInput()
                    + "'; check its characters or, if they are correct, the locale (LC_ALL)");
            return ExitCode.USAGE;
        }
        if (thrown instanceof RunFailedException
                || thrown instanceof IOException
                || thrown instanceof UncheckedIOException) {
            err.println("diperf: " + said(thrown, args));
            return ExitCode.NOT_CARRIED_OUT;
        }
        err.println("diperf: a bug: " + thrown + place(thrown)
                + ". Please report this line or, better, the output with --stacktrace");
        return ExitCode.BUG;
    }

    /** Says what happened; of a disk that is full or fails also what to do. */
    private String said(Exception thrown, String[] args) {
        DiskFailure failure = DiskFailure.of(thrown, files.getPath(""));
        if (thrown instanceof RunFailedException || !failure.isOfDisk()) {
            return DiskFailure.message(thrown);
        }
        // What is set may be nobody else's business.
        String again = Stream.of(args).map(Commands::quoted).collect(Collectors.joining(" "));
        return "could not write all files: " + failure.found() + ". Nothing was lost; " + failure.remedy()
                + ", then run the same command again" + (again.contains("--set") ? "" : ": diperf " + again);
    }

    /** Writes an argument as it can be given to a shell. */
    static String quoted(String argument) {
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
