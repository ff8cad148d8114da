package org.diperf.plugins.exec;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.process.ExitStatus;
import org.diperf.plugins.lib.process.Launcher;
import org.diperf.plugins.lib.process.Program;
import org.diperf.plugins.lib.process.ProgramStartException;
import org.diperf.plugins.lib.process.ReaperThread;
import org.diperf.plugins.lib.process.RunningProgram;
import org.jspecify.annotations.Nullable;

/** Runs the command once per call; an interrupt ends the run with all that it started. */
final class ExecClient implements BlockingClient {

    private static final byte[] NO_INPUT = new byte[0];

    private final Launcher launcher;
    private final List<Text> command;
    private final Map<String, Text> environment;
    private final @Nullable Text input;
    private final SuccessCriteria success;
    private final @Nullable ShellLine shell;
    private @Nullable ReaperThread waiting;

    ExecClient(Launcher launcher, Parameters with) {
        this.launcher = launcher;
        this.command = with.texts("command");
        this.environment = with.textMap("env");
        this.input = with.has("stdin") ? with.text("stdin") : null;
        this.success = SuccessCriteria.of(with);
        this.shell = with.bool("shell") ? new ShellLine(command) : null;
    }

    @Override
    public void open(Context context) {
        waiting = launcher.waiting();
    }

    @Override
    public void close() {
        if (waiting != null) {
            waiting.close();
        }
    }

    @Override
    public void call(Call call) throws InterruptedException {
        Dialogue dialogue = call.dialogue();
        Head output = new Head(dialogue);
        byte[] in = input == null ? NO_INPUT : input.of(call).getBytes(StandardCharsets.UTF_8);
        if (dialogue != null && in.length > 0) {
            dialogue.sent(in);
        }
        ExitStatus exit;
        try {
            RunningProgram running = launcher.start(program(call, in, output));
            exit = waiting == null ? running.await() : running.await(waiting);
            call.tookAtLeast(running.startedNanos(), running.endedNanos());
        } catch (ProgramStartException e) {
            call.fail(e.failure());
            return;
        }
        call.bytes(in.length + output.count());
        output.ended(exit);
        String failure = success.failure(exit, output::text);
        if (call.wantsAnswer() && (failure == null || call.wantsFailedAnswer())) {
            call.answer(output);
        }
        if (failure != null) {
            call.fail(failure);
        }
    }

    /** One that names a value is set once that has been captured: programs tell an empty variable from none. */
    private Map<String, String> variables(Call call) {
        if (environment.isEmpty()) {
            return Map.of();
        }
        Map<String, String> variables = new LinkedHashMap<>();
        environment.forEach((name, value) -> {
            if (value.isKnown(call)) {
                variables.put(name, value.of(call));
            }
        });
        return variables;
    }

    private Program program(Call call, byte[] in, Head output) {
        Map<String, String> variables = variables(call);
        if (shell == null) {
            return new Program(command.stream().map(word -> word.of(call)).toList(), variables, in, output);
        }
        Map<String, String> all = new LinkedHashMap<>(variables);
        shell.fill(call, all);
        return new Program(shell.command(), all, in, output);
    }

    /** Counts what a program writes and keeps the first 64 KiB. Filled by one thread, read after the exit is known. */
    private static final class Head implements Program.Output, Answer {

        private static final int MAX_BYTES = 64 << 10;

        private final java.io.ByteArrayOutputStream kept = new java.io.ByteArrayOutputStream();
        private final @Nullable Dialogue dialogue;
        private long count;
        private String status = "";

        /** @param dialogue takes the same; {@code null}: nobody will look */
        Head(@Nullable Dialogue dialogue) {
            this.dialogue = dialogue;
        }

        @Override
        public void take(byte[] bytes, int length) {
            kept.write(bytes, 0, Math.min(length, MAX_BYTES - kept.size()));
            count += length;
            if (dialogue != null) {
                dialogue.received(bytes, 0, length);
            }
        }

        long count() {
            return count;
        }

        String text() {
            return kept.toString(StandardCharsets.UTF_8);
        }

        void ended(ExitStatus exit) {
            status = exit.signal() != 0 ? exit.kind() : Integer.toString(exit.code());
        }

        @Override
        public String status() {
            return status;
        }

        @Override
        public long size() {
            return count;
        }

        @Override
        public @Nullable String header(String name) {
            return null;
        }

        @Override
        public String body() {
            return text();
        }
    }
}
