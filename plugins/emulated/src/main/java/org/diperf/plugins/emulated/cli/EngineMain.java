package org.diperf.plugins.emulated.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.engine.Engine;
import org.diperf.plugins.emulated.topology.TopologyLines;

/**
 * The engine's process. Standard input holds the topology, an empty line, and then nothing until the process is to end;
 * standard output gets {@link #DEVICES}, {@link #READY}, and then reports of what is carried, the last one at the end.
 */
public final class EngineMain {

    /** The line that says that the devices are there, to be moved to their hosts. */
    public static final String DEVICES = "devices";

    /** The line that says that packets are carried. */
    public static final String READY = "ready";

    private EngineMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<String> topology = new ArrayList<>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            topology.add(line);
        }
        try (Engine engine = new Engine(TopologyLines.read(topology), NanoClock.SYSTEM)) {
            System.out.println(DEVICES);
            engine.rehearse();
            Thread end = new Thread(() -> awaitEnd(in, engine), "diperf-emulated-end");
            end.setDaemon(true);
            end.start();
            System.out.println(READY);
            engine.run(report -> {
                System.out.print(report);
                System.out.flush();
            });
        }
    }

    private static void awaitEnd(BufferedReader in, Engine engine) {
        try {
            while (in.readLine() != null) {
                // Nothing more is said to it.
            }
        } catch (IOException e) {
            // A broken pipe is an end too.
        }
        engine.end();
    }
}
