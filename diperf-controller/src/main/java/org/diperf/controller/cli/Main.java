package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Where the program begins. Answers {@code --version} without loading what the commands need. */
public final class Main {

    private Main() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int code = run(args, out, err);
        out.flush();
        err.flush();
        System.exit(code);
    }

    /**
     * Runs a command.
     *
     * @param out where results go
     * @param err where errors and progress go
     * @return the exit code
     */
    public static int run(String[] args, PrintWriter out, PrintWriter err) {
<<<<<<< HEAD
        if (args.length == 1 && args[0].equals("--version")) {
            for (String line : Version.lines()) {
                out.println(line);
            }
            return ExitCode.DONE;
=======
        Main main = new Main();
        CommandLine commands = new CommandLine(main)
                .setOut(out)
                .setErr(err)
                .setUsageHelpWidth(100)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::badUsage)
                .setExecutionExceptionHandler((thrown, command, parsed) -> main.failed(thrown, err));
        return commands.execute(args);
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.USAGE;
    }

    private static int badUsage(CommandLine.ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(command.getCommandName() + ": " + e.getMessage());
        String unknown = e instanceof CommandLine.UnmatchedArgumentException unmatched
                        && !command.getSubcommands().isEmpty()
                        && !unmatched.getUnmatched().isEmpty()
                ? unmatched.getUnmatched().get(0)
                : "";
        String suggestion = Nearest.suggestion(unknown, command.getSubcommands().keySet());
        if (!unknown.startsWith("-") && !suggestion.isEmpty()) {
            err.println("Wanted one of the commands " + command.getSubcommands().keySet() + ", found '" + unknown + "'"
                    + suggestion);
        } else if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, err)) {
            err.println("See: " + command.getCommandSpec().qualifiedName() + " --help");
>>>>>>> piece-i
        }
        return Commands.run(args, out, err);
    }
}
