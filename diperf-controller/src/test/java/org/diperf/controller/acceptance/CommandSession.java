package org.diperf.controller.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.diperf.controller.cli.Main;

/**
 * Many commands of the packaged jar one after another in one JVM, which has started only once: in a folder of its own, with
 * nothing else on its class path.
 */
final class CommandSession implements AutoCloseable {

    private static final char BETWEEN_WORDS = '\u001f';
    private static final String END = "\u001eends with ";

    private final Command process;
    private int seen;

    /** @param work where the commands are given */
    CommandSession(Path work, Path scratch) throws IOException, InterruptedException {
        String name = CommandSession.class.getName().replace('.', '/') + ".class";
        Path copy = scratch.resolve(name);
        Files.createDirectories(Objects.requireNonNull(copy.getParent()));
        try (InputStream code = CommandSession.class.getResourceAsStream("/" + name)) {
            Files.copy(Objects.requireNonNull(code), copy);
        }
        Path jar = Command.controllerJar();
        List<String> command = new ArrayList<>(Command.commandLine(jar));
        int at = command.indexOf("-jar");
        command.set(at, "-cp");
        command.set(at + 1, jar + ":" + scratch);
        command.add(CommandSession.class.getName());
        process = Command.start(work, Map.of("PWD", work.toString()), command);
    }

    /**
     * What a command did.
     *
     * @param output both outputs, as they came
     */
    record Result(int code, String output) {}

    Result give(List<String> words) throws IOException, InterruptedException {
        process.type(String.join(String.valueOf(BETWEEN_WORDS), words) + "\n");
        process.awaitOutput(all ->
                all.indexOf('\n', Math.max(all.indexOf(END, seen), 0) + 1) > 0 && all.indexOf(END, seen) >= 0);
        String output = process.output();
        int end = output.indexOf(END, seen);
        int line = output.indexOf('\n', end);
        String said = output.substring(seen, end);
        seen = line + 1;
        return new Result(Integer.parseInt(output.substring(end + END.length(), line)), said);
    }

    @Override
    public void close() {
        process.close();
    }

    /** Carries out a command for each line of standard input, and says how it ended. */
    public static void main(String[] unused) throws IOException {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            int code = Main.run(line.split(String.valueOf(BETWEEN_WORDS)), out, out);
            out.println(END + code);
        }
    }
}
