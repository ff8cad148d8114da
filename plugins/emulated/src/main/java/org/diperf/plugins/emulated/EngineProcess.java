package org.diperf.plugins.emulated;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.plugins.emulated.cli.EngineMain;
import org.diperf.plugins.emulated.engine.Engine;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Topology;
import org.diperf.plugins.emulated.topology.TopologyLines;
import org.diperf.plugins.emulated.topology.Wiring;
import org.jspecify.annotations.Nullable;

/**
 * The process that carries the packets. Confined to one thread, but for one of its own that reads what the process says.
 */
final class EngineProcess implements Carrier {

    private static final long END_SECONDS = 5;
    /** Before testers and services on the same processors: they would make its packets late. */
    private static final List<String> FIRST = List.of("nice", "-n", "-10");

    /** Besides the buffers of packets: those of its rehearsal, and of what it asks the kernel. */
    private static final long OTHER_BYTES = 64L << 20;

    /** Each packet on its way takes 250 bytes of the heap too; nearly always the least is enough. */
    private static final List<String> FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-Xms64m",
            "-Xmx256m",
            "-XX:MaxDirectMemorySize=" + (Engine.PACKET_BYTES + OTHER_BYTES),
            "-XX:+UseTransparentHugePages");

    private final Process process;
    private final Topology topology;
    private final Wiring wiring;
    private final Writer in;
    private final BufferedReader said;
    private final EngineMessages words;
    private final Thread reader;
    private volatile Engine.@Nullable ChangeListener listener;

    private EngineProcess(Process process, Topology topology, Wiring wiring) {
        this.process = process;
        this.topology = topology;
        this.wiring = wiring;
        this.words = new EngineMessages(topology.pipes().size());
        this.reader = new Thread(this::read, "diperf-emulated-engine");
        reader.setDaemon(true);
        this.in = process.outputWriter(StandardCharsets.UTF_8);
        this.said = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts it in the lab; returns when its devices are there. */
    static EngineProcess start(Lab lab, Topology topology, Wiring wiring, String java) throws IOException {
        List<String> command = new ArrayList<>(FIRST);
        command.add(java);
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", classPath(), EngineMain.class.getName(), wiring.name()));
        EngineProcess engine = new EngineProcess(
                new ProcessBuilder(lab.inside(command))
                        .redirectErrorStream(true)
                        .start(),
                topology,
                wiring);
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
        throw new IOException("The network emulator has exited: " + String.join("; ", others));
    }

    @Override
    public String device(int host) {
        if (!wiring.isOfLinks()) {
            return Engine.device(host);
        }
        String name = topology.hosts().get(host).name();
        List<Link> links = topology.links();
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).from().equals(name) || links.get(i).to().equals(name)) {
                return Engine.device(Wiring.device(i, links.get(i).to().equals(name)));
            }
        }
        throw new IllegalArgumentException("Expected a link for each host, got none for '" + name + "'");
    }

    @Override
    public void awaitReady(Engine.ChangeListener ofChanges) throws IOException {
        await(EngineMain.READY);
        listener = ofChanges;
        reader.start();
    }

    private void read() {
        try {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                said(line);
            }
        } catch (IOException e) {
            // It has gone, as at an end of its output.
        } finally {
            words.over();
        }
    }

    private void said(String line) {
        Engine.ChangeListener told = listener;
        if (told != null && line.startsWith(EngineMain.CHANGED + " ")) {
            String[] numbers = line.split(" ");
            told.changed(Integer.parseInt(numbers[1]), Long.parseLong(numbers[2]));
        } else {
            words.said(line);
        }
    }

    @Override
    public String name() {
        return Engines.TUN;
    }

    @Override
    public long droppedBefore(Lab lab) throws IOException {
        return lab.droppedBefore();
    }

    @Override
    public Optional<CarrierStatistics> account() {
        return Optional.of(words);
    }

    @Override
    public void begun(long startNanos, List<Change.Order> changes) throws IOException {
        in.write(EngineMain.LOAD + " " + startNanos + "\n");
        for (Change.Order change : changes) {
            in.write(change.line() + "\n");
        }
        in.flush();
    }

    @Override
    public CompletableFuture<Process> ended() {
        return process.onExit();
    }

    @Override
    public void end() throws IOException, InterruptedException {
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
