package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.diperf.core.plugin.Plugins;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command of the program: where it prints. Both streams are flushed when it ends. */
abstract class Subcommand implements Callable<Integer> {

    @Spec
    CommandSpec spec;

    /** Returns where the result goes. */
    PrintWriter stdout() {
        return spec.commandLine().getOut();
    }

    final PrintWriter stderr() {
        return spec.commandLine().getErr();
    }

    /** Warns of plugins that cannot be used, on standard error. */
    final void warnOfBroken(Plugins plugins) {
        warnOfBroken(plugins, stderr());
    }

    static void warnOfBroken(Plugins plugins, PrintWriter err) {
        plugins.broken()
                .forEach(
                        broken -> err.println("warning: plugin " + broken.source() + " is broken: " + broken.reason()));
    }
}
