package org.diperf.core.contract;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.CommandContext;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ImportedCalls;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;

/** Runs one command as the program does, and keeps what it says. Used by one test thread. */
public final class CommandHarness implements CommandContext {

    private final CommandPlugin plugin;
    private final List<ClientPlugin> clients;
    private final Path folder;
    private final List<String> printed = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final List<ExportedCall> calls;
    private final Map<Imported, ImportProbe> imports = new LinkedHashMap<>();
    private BiFunction<List<String>, Watcher, Integer> others = (arguments, watcher) -> CommandPlugin.USAGE;
    private Map<String, ?> tree = Map.of();
    private Parameters with = Parameters.read(List.of(), Map.of(), 0);

    /**
     * @param clients that it may call
     * @param folder empty, for files of clients
     * @param calls of every run
     */
    public CommandHarness(
            CommandPlugin plugin, List<? extends ClientPlugin> clients, Path folder, List<ExportedCall> calls) {
        this.plugin = plugin;
        this.clients = List.copyOf(clients);
        this.folder = folder;
        this.calls = List.copyOf(calls);
    }

    /**
     * Runs the command.
     *
     * @param given values as on a command line, by the names of the parameters
     * @return the exit code
     */
    public int run(Map<String, String> given) throws Exception {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Parameter parameter : plugin.parameters()) {
            String value = given.getOrDefault(parameter.name(), parameter.fallback());
            if (value != null) {
                boolean list = parameter.type() == Parameter.Type.TEXTS;
                values.put(parameter.name(), list ? List.of(value.split(",")) : value);
            }
        }
        try {
            with = Parameters.read(plugin.parameters(), values, 0);
            return plugin.run(this);
        } catch (Parameters.Unusable e) {
            tell(e.parameter() + ": " + e.getMessage());
            return CommandPlugin.USAGE;
        } catch (IllegalArgumentException e) {
            tell(String.valueOf(e.getMessage()));
            return CommandPlugin.USAGE;
        } catch (IOException e) {
            tell(String.valueOf(e.getMessage()));
            return CommandPlugin.NOT_CARRIED_OUT;
        }
    }

    /** Returns the result, its lines. */
    public String printed() {
        return String.join("\n", printed);
    }

    /** Returns what the user was told. */
    public String told() {
        return String.join("\n", told);
    }

    /** Returns the result for scripts. */
    public Map<String, ?> tree() {
        return tree;
    }

    /** Returns what became of runs, with the calls that were imported. */
    public Map<Imported, ImportProbe> imports() {
        return imports;
    }

    @Override
    public Parameters with() {
        return with;
    }

    @Override
    public void print(String line) {
        printed.add(line);
    }

    @Override
    public void print(Map<String, ?> result) {
        tree = result;
    }

    @Override
    public void tell(String line) {
        told.add(line);
    }

    @Override
    public String number(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }

    @Override
    public String time(double millis) {
        return number(millis) + " ms";
    }

    @Override
    public String size(double bytes) {
        return number(bytes) + " B";
    }

    @Override
    public Called call(String client, Url target, Map<String, ?> parameters, Duration timeout) throws IOException {
        ClientPlugin called = clients.stream()
                .filter(each -> each.id().equals(client))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected a client plugin, got '" + client + "'"));
        try (PluginHarness harness =
                        new PluginHarness(called, List.of(target), parameters, timeout, folder, new JdkLoop());
                PluginHarness.Owned owned = harness.client(0)) {
            CallProbe call = owned.call();
            String failure = call.failure();
            Duration service = Duration.ofNanos(call.toNanos() - call.fromNanos());
            return new Called(failure == null ? "ok" : failure, service, call.bytes(), call.metrics());
        } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public Path run(String named) {
        return Path.of(named.isEmpty() ? "latest" : named);
    }

    /** Lets others commands of the program be there. */
    public void others(BiFunction<List<String>, Watcher, Integer> program) {
        others = program;
    }

    @Override
    public int carryOut(List<String> arguments, Watcher watcher) {
        return others.apply(arguments, watcher);
    }

    @Override
    public void calls(Path run, Consumer<ExportedCall> to) {
        calls.forEach(to);
    }

    @Override
    public Path path(String named) {
        return Path.of(named);
    }

    @Override
    public int importRun(Imported imported, ImportedCalls read) throws IOException {
        imports.put(imported, new ImportProbe());
        read.read(imports.get(imported));
        return CommandPlugin.DONE;
    }
}
