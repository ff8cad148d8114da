package org.diperf.plugins.monitor;

import java.nio.file.Path;
import java.util.List;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.MonitorContext;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Regex;

/** The monitor {@code process}. */
public final class ProcessPlugin implements MonitorPlugin {

    private static final Path PROC = Path.of("/proc");
    private static final List<String> WAYS = List.of("pid", "pid-file", "port", "command");

    @Override
    public String id() {
        return "process";
    }

    @Override
    public String summary() {
        return "processes on this machine with their children: processor time, memory, threads, file "
                + "descriptors, disk";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.optional("pid", Type.INTEGER, "process ID (PID)"),
                Parameter.optional("pid-file", Type.STRING, "file that contains the process ID"),
                Parameter.optional("port", Type.INTEGER, "TCP port on which the process listens"),
                Parameter.optional(
                                "command",
                                Type.STRING,
                                "regular expression to find in the command lines of the processes")
                        .parsedBy(Regex::compile),
                Parameter.withDefault("children", Type.BOOLEAN, "true", "whether to include child processes"));
    }

    @Override
    public void check(Parameters with) {
        List<String> given = WAYS.stream().filter(with::has).toList();
        if (given.size() != 1) {
            throw new Parameters.Unusable(
                    given.isEmpty() ? "kind" : given.get(1),
                    "expected exactly one of " + WAYS + " to identify the process, " + "got "
                            + (given.isEmpty() ? "none" : given));
        }
    }

    @Override
    public Monitor open(MonitorContext context) {
        check(context.with());
        return new ProcessMonitor(
                PROC,
                roots(context.with()),
                context.with().bool("children"),
                Runtime.getRuntime().availableProcessors());
    }

    private static ProcessMonitor.Roots roots(Parameters with) {
        ProcessFinder finder = new ProcessFinder(PROC);
        if (with.has("pid")) {
            long pid = with.integer("pid");
            return () -> List.of(pid);
        }
        if (with.has("pid-file")) {
            Path file = Path.of(with.string("pid-file"));
            return () -> List.of(finder.byFile(file));
        }
        if (with.has("port")) {
            int port = (int) with.integer("port");
            return () -> finder.byPort(port);
        }
        Regex command = with.value("command", Regex.class);
        return () -> finder.byCommand(command);
    }
}
