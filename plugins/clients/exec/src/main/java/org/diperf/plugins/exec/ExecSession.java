package org.diperf.plugins.exec;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.process.Launcher;
import org.diperf.plugins.lib.process.Program;
import org.diperf.plugins.lib.process.ProgramStartException;

/** The exec clients of a tester: one launcher, and what a start costs on this machine. */
final class ExecSession implements Session {

    private static final int STARTUP_RUNS = 20;
    private static final double NANOS_PER_MILLI = 1e6;

    private final SessionContext context;
    private final Launcher launcher;

    ExecSession(SessionContext context, Launcher launcher, NanoClock clock) throws InterruptedException {
        this.context = context;
        this.launcher = launcher;
        if (!launcher.limits().isEmpty()) {
            context.recorder().reject("exec without process groups", launcher.limits());
        }
        measureStartup(clock);
    }

    private void measureStartup(NanoClock clock) throws InterruptedException {
        List<String> command = context.with().texts("startup-command").stream()
                .map(Text::fixed)
                .toList();
        Program program = new Program(command, Map.of(), new byte[0], (bytes, length) -> {});
        Recorder recorder = context.recorder();
        long[] nanos = new long[STARTUP_RUNS];
        try {
            for (int i = 0; i < STARTUP_RUNS; i++) {
                long start = clock.nanoTime();
                launcher.start(program).await();
                nanos[i] = clock.nanoTime() - start;
            }
        } catch (ProgramStartException e) {
            recorder.reject("start-up command: " + e.getMessage(), command.toString());
            return;
        }
        Arrays.sort(nanos);
        double median = (nanos[STARTUP_RUNS / 2 - 1] + nanos[STARTUP_RUNS / 2]) / 2.0;
        recorder.observe(ExecPlugin.STARTUP, clock.nanoTime(), median / NANOS_PER_MILLI);
    }

    @Override
    public Client newClient() {
        return new ExecClient(launcher, context.with());
    }

    @Override
    public Class<? extends Client> kind() {
        return BlockingClient.class;
    }

    @Override
    public void close() {
        launcher.close();
    }
}
