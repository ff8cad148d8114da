package org.diperf.controller.calibrate;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.StandIn;

/**
 * A process that answers a client's calls as its stand-in does, and does nothing else; {@link NullProcess} starts it. Its
 * arguments: the client's ID, the number of stand-ins, a folder for copies of plugin jars, those jars. It says on standard
 * output {@link #AT} and an address a line, and then {@link #READY}; or {@link #NONE} and the clients that have a stand-in. It
 * ends when its standard input does, so it never outlives who started it.
 */
public final class NullService {

    static final String AT = "at ";
    static final String READY = "ready";
    static final String NONE = "none ";

    private static final int JARS = 3;

    private NullService() {}

    /** Stands in until standard input ends. */
    public static void main(String[] args) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        // What a plugin writes by itself is no answer.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        List<Path> jars = Stream.of(args).skip(JARS).map(Path::of).toList();
        try (Plugins plugins = Plugins.load(jars, Path.of(args[2]))) {
            serve(plugins, args[0], Integer.parseInt(args[1]), answers);
        }
        System.exit(0);
    }

    private static void serve(Plugins plugins, String client, int number, PrintStream answers) throws Exception {
        List<StandIn> standIns = new ArrayList<>();
        try {
            for (int i = 0; i < number; i++) {
                plugins.clients().plugin(client).flatMap(NullService::standIn).ifPresent(standIns::add);
            }
            if (standIns.isEmpty()) {
                answers.println(NONE + String.join(" ", others(plugins)));
                answers.flush();
                return;
            }
            standIns.forEach(standIn -> answers.println(AT + standIn.target()));
            answers.println(READY);
            answers.flush();
            awaitEnd();
        } finally {
            standIns.forEach(StandIn::close);
        }
    }

    /** Starts one for clients whose parameters are as they are by default. */
    private static Optional<StandIn> standIn(ClientPlugin plugin) {
        try {
            return plugin.standIn(Parameters.read(plugin.parameters(), Map.of(), 1));
        } catch (Exception e) {
            // A parameter has no default, or it cannot listen: either way there is none.
            return Optional.empty();
        }
    }

    private static List<String> others(Plugins plugins) {
        List<String> able = new ArrayList<>();
        for (ClientPlugin plugin : plugins.clients().plugins()) {
            standIn(plugin).ifPresent(standIn -> {
                standIn.close();
                able.add(plugin.id());
            });
        }
        return able;
    }

    private static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {
            // Nobody says anything until the end.
        }
    }
}
