package org.diperf.plugins.stream;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.process.ExitStatus;
import org.diperf.plugins.lib.process.Launcher;
import org.diperf.plugins.lib.process.Program;
import org.diperf.plugins.lib.process.ProgramStartException;
import org.diperf.plugins.lib.process.RunQueueWait;
import org.diperf.plugins.lib.process.RunningProgram;
import org.jspecify.annotations.Nullable;

/** Runs the program once, until it ends, which is too early, or the client does. */
final class StreamClient implements BlockingClient {

    private final Launcher launcher;
    private @Nullable Context context;

    StreamClient(Launcher launcher) {
        this.launcher = launcher;
    }

    @Override
    public void open(Context context) {
        this.context = context;
    }

    @Override
    public boolean selfTimed() {
        return true;
    }

    @Override
    public void call(Call call) {
        Context given = context;
        if (given == null) {
            throw new IllegalStateException("open was not called");
        }
        List<String> command = given.with().texts("command").stream()
                .map(word -> word.of(call))
                .toList();
        Map<String, String> environment = new LinkedHashMap<>();
        for (Map.Entry<String, Text> variable : given.with().textMap("env").entrySet()) {
            environment.put(variable.getKey(), variable.getValue().of(call));
        }
        OutputParser lines = new OutputParser(given.recorder(), NanoClock.SYSTEM);
        try {
            RunningProgram running = launcher.start(new Program(command, environment, new byte[0], lines));
            RunQueueWait waits = running.waits();
            if (waits != null) {
                lines.waits(waits::nanos);
            }
            ExitStatus exit = running.await();
            lines.end();
            call.fail("program ended: " + exit.kind());
        } catch (ProgramStartException e) {
            call.fail(e.failure());
        } catch (InterruptedException clientEnds) {
            // As it should be: the program has been killed. A line that it had begun is worth nothing.
        }
    }
}
