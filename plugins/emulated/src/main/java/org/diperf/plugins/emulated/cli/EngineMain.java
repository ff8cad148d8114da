package org.diperf.plugins.emulated.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.engine.Engine;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.TopologyLines;
import org.diperf.plugins.emulated.topology.Wiring;
import org.diperf.plugins.emulated.virtual.VirtualTime;

/**
 * The engine's process. Its argument names a {@link Wiring}. Standard input holds the topology, an empty line, then orders to change links ({@link Change.Order#line}) and {@link #LOAD} with the instant at which it begins, and
 * ends when the process is to end; standard output gets {@link #DEVICES}, {@link #READY}, and then {@link #CHANGED} with number and instant
 * for each change that was made, and reports of what is carried, the last one at the end.
 */
public final class EngineMain {

    /** The line that says that the devices are there, to be moved to their hosts. */
    public static final String DEVICES = "devices";

    /** The line that says that packets are carried. */
    public static final String READY = "ready";

    /** The word before number and instant of a change that was made, on the monotonic clock of this machine. */
    public static final String CHANGED = "changed";

    /** The word before the instant at which the load begins, on the monotonic clock of this machine. */
    public static final String LOAD = "load";

    private EngineMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<String> topology = new ArrayList<>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            topology.add(line);
        }
        try (Engine engine = new Engine(
                TopologyLines.read(topology),
                Wiring.valueOf(arguments[0]),
                NanoClock.SYSTEM,
                (number, atNanos) -> System.out.println(CHANGED + " " + number + " " + atNanos))) {
            System.out.println(DEVICES);
            if (!VirtualTime.isHere()) {
                engine.rehearse();
            }
            Thread orders = new Thread(() -> follow(in, engine), "diperf-emulated-orders");
            orders.setDaemon(true);
            orders.start();
            System.out.println(READY);
            engine.run(report -> {
                System.out.print(report);
                System.out.flush();
            });
        }
    }

    private static void follow(BufferedReader in, Engine engine) {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith(LOAD + " ")) {
                    engine.loadFrom(Long.parseLong(line.substring(LOAD.length() + 1)));
                } else {
                    engine.change(Change.Order.parse(line));
                }
            }
        } catch (IOException e) {
            // A broken pipe is an end too.
        } finally {
            engine.end();
        }
    }
}
