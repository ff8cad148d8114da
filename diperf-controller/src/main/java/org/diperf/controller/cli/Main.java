package org.diperf.controller.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.diperf.core.experiment.SecretMask;

/** Where the program begins. Answers {@code --version} without loading what the commands need. */
public final class Main {

    private Main() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        FastStart.begin(args);
        // Also what libraries log, and what a plugin writes by itself.
        SecretMask mask = new SecretMask();
        System.setOut(mask.over(System.out));
        System.setErr(mask.over(System.err));
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        OutOfMemoryNotice words = new OutOfMemoryNotice(
                new FileOutputStream(FileDescriptor.err), Runtime.getRuntime().maxMemory());
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> died(thread, thrown, words, err));
        int code = run(args, out, err, mask);
        out.flush();
        err.flush();
        System.exit(code);
    }

    /** A thread that is gone is waited for in vain: without memory the process ends, and what is on the disk stays. */
    private static void died(Thread thread, Throwable thrown, OutOfMemoryNotice words, PrintWriter err) {
        if (thrown instanceof OutOfMemoryError) {
            try {
                words.say();
            } finally {
                Runtime.getRuntime().halt(ExitCode.NOT_CARRIED_OUT);
            }
        }
        err.println("diperf: a bug: " + thread.getName() + ": " + thrown);
    }

    /**
     * Runs a command.
     *
     * @param out where results go
     * @param err where errors and progress go
     * @return the exit code
     */
    public static int run(String[] args, PrintWriter out, PrintWriter err) {
        SecretMask mask = new SecretMask();
        return run(args, mask.over(out), mask.over(err), mask);
    }

    private static int run(String[] args, PrintWriter out, PrintWriter err, SecretMask mask) {
        if (args.length == 1 && (args[0].equals("--version") || args[0].equals("version"))) {
            for (String line : Version.lines()) {
                out.println(line);
            }
            return ExitCode.DONE;
        }
        return Commands.run(args, out, err, mask);
    }
}
