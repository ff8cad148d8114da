package org.diperf.plugins.mcp;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.diperf.core.spi.CommandContext;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Text;

/** Serves the tools of an agent on standard input and output. */
public final class McpCommand implements CommandPlugin {

    private static final String MAX_RATE = "max-rate";
    private static final String MAX_CLIENTS = "max-clients";
    private static final String MAX_FOR = "max-for";
    private static final String ALLOW = "allow";
    private static final String CLIENT = "client";
    private static final String DIR = "dir";

    @Override
    public String id() {
        return "mcp";
    }

    @Override
    public String summary() {
        return "lets an agent measure through the Model Context Protocol, within caps that you set";
    }

    @Override
    public String help() {
        return "Serves the Model Context Protocol on standard input and output: an agent that starts this command "
                + "gets the tools init, check, try, run, report and compare. What it measures stays within "
                + "these caps, and so do the files that it names. Ends when standard input does.";
    }

    @Override
    public List<String> examples() {
        return List.of("mcp --dir bench --max-rate 500/s --max-for 2m", "mcp --allow staging.example.org");
    }

    @Override
    public String exitCodes() {
        return "0 standard input has ended; 2 bad usage; 3 the folder cannot be used.";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault(MAX_RATE, Type.STRING, "1000/s", "Highest arrival rate of open load")
                        .in("RATE"),
                Parameter.withDefault(MAX_CLIENTS, Type.INTEGER, "50", "Most clients of closed load"),
                Parameter.withDefault(
                        MAX_FOR, Type.DURATION, "5m", "Longest load of one call of a tool, all its runs together"),
                Parameter.withDefault(
                                ALLOW,
                                Type.TEXTS,
                                "localhost,127.0.0.1,[::1]",
                                "Hosts that may be called, by the names that experiments have for them. What is given "
                                        + "replaces the default")
                        .in("HOST"),
                Parameter.withDefault(
                                CLIENT,
                                Type.TEXTS,
                                "http,tcp,grpc",
                                "Client plugins that may be used. Some, such as exec and stream, run any program")
                        .in("ID"),
                Parameter.withDefault(
                                DIR,
                                Type.STRING,
                                ".",
                                "Folder of all files that are read and written; runs are in runs/")
                        .in("DIR"));
    }

    @Override
    public int run(CommandContext context) throws Exception {
        Caps caps = caps(context.with(), folder(context));
        try (InputStream in = new FileInputStream(FileDescriptor.in)) {
            new Session(in, context::print, new Tools(context, caps), guide()).serve();
        }
        return DONE;
    }

    private static Path folder(CommandContext context) throws IOException {
        Path named = context.path(context.with().string(DIR));
        if (!Files.isDirectory(named)) {
            throw new Parameters.Unusable(
                    DIR,
                    "expected a folder, got " + (Files.exists(named) ? "a file" : "nothing") + " at " + named
                            + "; create it first");
        }
        return named.toRealPath();
    }

    private static Caps caps(Parameters with, Path folder) {
        double rate;
        try {
            rate = Quantity.rate(with.string(MAX_RATE));
        } catch (IllegalArgumentException e) {
            throw new Parameters.Unusable(MAX_RATE, String.valueOf(e.getMessage()));
        }
        long clients = with.integer(MAX_CLIENTS);
        Duration longest = with.duration(MAX_FOR);
        if (clients < 1) {
            throw new Parameters.Unusable(MAX_CLIENTS, "expected at least 1, got " + clients);
        }
        if (longest.isZero()) {
            throw new Parameters.Unusable(MAX_FOR, "expected more than 0s, got 0s");
        }
        return new Caps(rate, clients, longest, words(with, ALLOW), words(with, CLIENT), folder);
    }

    private static Set<String> words(Parameters with, String name) {
        return with.texts(name).stream()
                .map(Text::fixed)
                .map(word -> word.strip().toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns what an agent must know to write experiments and read results. */
    static String guide() throws IOException {
        try (InputStream text = McpCommand.class.getResourceAsStream("SKILL.md")) {
            if (text == null) {
                throw new IOException("expected the guide for agents in the program, got none; build it again");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).replaceFirst("(?s)^---\n.*?\n---\n", "");
        }
    }
}
