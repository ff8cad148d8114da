package org.diperf.plugins.emulated;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.plugins.emulated.cli.EngineMain;
import org.diperf.plugins.emulated.topology.Topology;
import org.diperf.plugins.emulated.topology.TopologyLines;

/** The process that carries the packets. Confined to one thread. */
final class EngineProcess implements AutoCloseable {

    private static final long END_SECONDS = 5;
    /** Before testers and services on the same processors: they would make its packets late. */
    private static final List<String> FIRST = List.of("nice", "-n", "-10");

    private static final List<String> FLAGS = List.of(
            "-XX:+UseSerialGC", "-Xms64m", "-Xmx64m", "-XX:MaxDirectMemorySize=1g", "-XX:+UseTransparentHugePages");

    private final Process process;
    private final Writer in;
    private final BufferedReader said;
    private final EngineWords words;
    private final Thread reader;

    private EngineProcess(Process process, int pipes) {
        this.process = process;
        this.words = new EngineWords(pipes);
        this.reader = new Thread(this::read, "diperf-emulated-engine");
        reader.setDaemon(true);
        this.in = process.outputWriter(StandardCharsets.UTF_8);
        this.said = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts it in the lab; returns when its devices are there. */
    static EngineProcess start(Lab lab, Topology topology, String java) throws IOException {
        List<String> command = new ArrayList<>(FIRST);
        command.add(java);
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", classPath(), EngineMain.class.getName()));
        EngineProcess engine = new EngineProcess(
                new ProcessBuilder(lab.inside(command))
                        .redirectErrorStream(true)
                        .start(),
                topology.pipes().size());
        for (String line : TopologyLines.write(topology)) {
            engine.in.write(line + "\n");
        }
        engine.in.write("\n");
        engine.in.flush();
        engine.await(EngineMain.DEVICES);
        return engine;
    }

    /** The engine is part of what runs here; its own folder is another. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void await(String word) throws IOException {
        List<String> others = new ArrayList<>();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.equals(word)) {
                return;
            }
            others.add(line);
        }
        throw new IOException("The engine of the emulated network has ended: " + String.join("; ", others));
    }

    /** Waits until it carries packets in time. */
    void awaitReady() throws IOException {
        await(EngineMain.READY);
        reader.start();
    }

    private void read() {
        try {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                words.said(line);
            }
        } catch (IOException e) {
            // It has gone, as at an end of its output.
        } finally {
            words.over();
        }
    }

    /** Returns what it has said since it carries packets. */
    EngineWords words() {
        return words;
    }

    /** Completes when it has ended. */
    CompletableFuture<Process> ended() {
        return process.onExit();
    }

    /** Has it end; what it has done until then it has said. */
    void end() throws IOException, InterruptedException {
        in.close();
        reader.join(END_SECONDS * 1_000);
    }

    @Override
    public void close() throws InterruptedException {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
