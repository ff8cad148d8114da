package org.diperf.core.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.jar.JarFile;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Nearest;
import org.diperf.core.spi.OutputPlugin;
import org.diperf.core.spi.TestbedPlugin;

/**
 * The plugins found: bundled ones on the class path and those of jars, each jar in a child-first loader of its own. One
 * that cannot be used is among the {@link #broken} with its reason, and the others work. Of two with the same ID the
 * first stays. Immutable once loaded.
 */
public final class Plugins implements AutoCloseable {

    private static final String BUNDLED = "bundled";
    // A provider file that fails at every line must end too.
    private static final int MAX_PROVIDERS = 1_000;

    private final List<FoundClient> clients = new ArrayList<>();
    private final List<FoundTestbed> testbeds = new ArrayList<>();
    private final List<FoundExport> exports = new ArrayList<>();
    private final List<FoundMonitor> monitors = new ArrayList<>();
    private final List<FoundOutput> outputs = new ArrayList<>();
    private final List<FoundJourney> journeys = new ArrayList<>();
    private final List<Broken> broken = new ArrayList<>();
    private final List<JarLoader> loaders = new ArrayList<>();

    private Plugins() {}

    /** A client plugin and where it came from: the path of its jar, or {@code bundled}. */
    public record FoundClient(ClientPlugin plugin, String source) {}

    /** A testbed plugin and where it came from: the path of its jar, or {@code bundled}. */
    public record FoundTestbed(TestbedPlugin plugin, String source) {}

    /** A plugin for a format of exports and where it came from: the path of its jar, or {@code bundled}. */
    public record FoundExport(ExportPlugin plugin, String source) {}

    /** A monitor plugin and where it came from: the path of its jar, or {@code bundled}. */
    public record FoundMonitor(MonitorPlugin plugin, String source) {}

    /** A plugin for outputs and where it came from: the path of its jar, or {@code bundled}. */
    public record FoundOutput(OutputPlugin plugin, String source) {}

    /**
     * A journey in Java and where it came from.
     *
     * @param journey for its declarations
     * @param maker makes one for each client
     */
    public record FoundJourney(JavaJourney journey, Supplier<JavaJourney> maker, String source) {

        /** Returns the name of its class. */
        public String type() {
            return journey.getClass().getName();
        }
    }

    /** Something that was to be a plugin and is none, and why. */
    public record Broken(String source, String reason) {}

    /**
     * Loads the bundled plugins and those of the jars.
     *
     * @param jars in the order in which they count
     * @param privateCopyFolder where the jars are copied before they are loaded, because a jar that is overwritten while
     *     it is open breaks its classes; made when it is missing, and left to the caller to remove
     */
    public static Plugins load(List<Path> jars, Path privateCopyFolder) {
        Plugins plugins = bundled();
        for (Path jar : jars) {
            plugins.addJar(jar, privateCopyFolder);
        }
        return plugins;
    }

    /**
     * Says what to do about a plugin that was asked for and is not there, to follow what was found.
     *
     * @param asked its ID
     * @param known IDs of those of its kind
     */
    public static String missing(String asked, Collection<String> known) {
        String suggestion = Nearest.suggestion(asked, known);
        return (suggestion.isEmpty() ? "." : suggestion)
                + " A plugin that is not built in: put its jar into plugins/ beside DiPerF's own, or give --plugins DIR";
    }

    /** Loads the plugins on the class path alone. */
    public static Plugins bundled() {
        Plugins plugins = new Plugins();
        plugins.addAll(Plugins.class.getClassLoader(), BUNDLED);
        return plugins;
    }

    /**
     * Loads the plugins on the class path and one more, for tests and programs that bring their own. A client class that is also
     * registered on the class path counts once.
     *
     * @throws IllegalArgumentException when it cannot be used, with the reason
     */
    public static Plugins bundledAnd(ClientPlugin plugin) {
        Plugins plugins = bundled();
        Optional<FoundClient> same = plugins.client(plugin.id());
        if (same.isPresent()
                && plugin instanceof OneClassPlugin one
                && one.isOfSameClass(same.get().plugin())) {
            return plugins;
        }
        int before = plugins.broken.size();
        plugins.addClient(plugin, plugin.getClass().getName());
        if (plugins.broken.size() > before) {
            throw new IllegalArgumentException(plugins.broken.get(before).reason());
        }
        return plugins;
    }

    /**
     * Makes a plugin of a client class whose parameters are its fields marked {@link org.diperf.core.spi.Param}.
     *
     * @throws IllegalArgumentException when it cannot be one, with the reason
     */
    public static ClientPlugin ofClass(Class<? extends Client> type) {
        return new OneClassPlugin(type);
    }

    private void addJar(Path jar, Path folder) {
        String source = jar.toString();
        try {
            Files.createDirectories(folder);
            Path copy = folder.resolve(loaders.size() + "-" + jar.getFileName());
            Files.copy(jar, copy, StandardCopyOption.REPLACE_EXISTING);
            try (JarFile readable = new JarFile(copy.toFile())) {
                readable.size();
            } catch (IOException e) {
                broken.add(new Broken(source, "is not a jar: " + e.getMessage() + "; build or copy it again"));
                return;
            }
            JarLoader loader = new JarLoader(copy.toUri().toURL(), Plugins.class.getClassLoader());
            loaders.add(loader);
            addAll(loader, source);
        } catch (NoSuchFileException e) {
            broken.add(new Broken(source, "no such file: " + e.getMessage()));
        } catch (IOException e) {
            broken.add(new Broken(source, "cannot be read: " + e));
        }
    }

    private void addAll(ClassLoader loader, String source) {
        int before = found();
        eachProvider(ClientPlugin.class, loader, source, provider -> addClient(provider.get(), loader, source));
        eachProvider(
                Client.class,
                loader,
                source,
                provider -> addClient(new OneClassPlugin(provider.type()), loader, source));
        eachProvider(TestbedPlugin.class, loader, source, provider -> addTestbed(provider.get(), source));
        eachProvider(MonitorPlugin.class, loader, source, provider -> addMonitor(provider.get(), source));
        eachProvider(
                ExportPlugin.class,
                loader,
                source,
                provider -> addExport(
                        loader instanceof JarLoader ? new ExportInOwnLoader(provider.get(), loader) : provider.get(),
                        source));
        eachProvider(
                OutputPlugin.class,
                loader,
                source,
                provider -> addOutput(
                        loader instanceof JarLoader ? new OutputInOwnLoader(provider.get(), loader) : provider.get(),
                        source));
        eachProvider(
                JavaJourney.class,
                loader,
                source,
                provider -> journeys.add(new FoundJourney(provider.get(), provider, source)));
        if (loader instanceof JarLoader && found() == before) {
            broken.add(new Broken(
                    source,
                    "a jar without a plugin: it needs META-INF/services/" + Client.class.getName()
                            + " (or ...ClientPlugin, ...TestbedPlugin, ...ExportPlugin, ...MonitorPlugin, ...OutputPlugin) with the"
                            + " name of its class"));
        }
    }

    private int found() {
        return clients.size()
                + testbeds.size()
                + exports.size()
                + monitors.size()
                + outputs.size()
                + journeys.size()
                + broken.size();
    }

    private <S> void eachProvider(
            Class<S> service, ClassLoader loader, String source, Consumer<ServiceLoader.Provider<S>> add) {
        Spliterator<ServiceLoader.Provider<S>> providers =
                ServiceLoader.load(service, loader).stream().spliterator();
        boolean more = true;
        for (int i = 0; more && i < MAX_PROVIDERS; i++) {
            try {
                more = providers.tryAdvance(provider -> {
                    if (provider.type().getClassLoader() == loader || !(loader instanceof JarLoader)) {
                        add.accept(provider);
                    } else {
                        String name = provider.type().getName();
                        broken.add(new Broken(source, "names the class " + name + ", which is not in this jar"));
                    }
                });
            } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
                broken.add(new Broken(source, Reasons.of(e)));
            }
        }
    }

    private void addClient(ClientPlugin plugin, ClassLoader loader, String source) {
        addClient(loader instanceof JarLoader ? new InOwnLoader(plugin, loader) : plugin, source);
    }

    private void addClient(ClientPlugin plugin, String source) {
        Optional<String> fault = Declaration.fault(plugin);
        if (fault.isPresent()) {
            broken.add(new Broken(source, fault.get()));
            return;
        }
        Optional<FoundClient> same = client(plugin.id());
        if (same.isPresent()) {
            broken.add(new Broken(
                    source, twice("client", plugin.id(), source, same.get().source())));
            return;
        }
        clients.add(new FoundClient(plugin, source));
    }

    private void addTestbed(TestbedPlugin plugin, String source) {
        Optional<String> fault = Declaration.fault(plugin);
        if (fault.isPresent()) {
            broken.add(new Broken(source, fault.get()));
            return;
        }
        Optional<FoundTestbed> same = testbed(plugin.id());
        if (same.isPresent()) {
            broken.add(new Broken(
                    source, twice("testbed", plugin.id(), source, same.get().source())));
            return;
        }
        testbeds.add(new FoundTestbed(plugin, source));
    }

    private void addExport(ExportPlugin plugin, String source) {
        Optional<String> fault = Declaration.fault(plugin);
        if (fault.isPresent()) {
            broken.add(new Broken(source, fault.get()));
            return;
        }
        Optional<FoundExport> same = exports.stream()
                .filter(found -> found.plugin().id().equals(plugin.id()))
                .findFirst();
        if (same.isPresent()) {
            broken.add(new Broken(
                    source, twice("export", plugin.id(), source, same.get().source())));
            return;
        }
        exports.add(new FoundExport(plugin, source));
    }

    private void addMonitor(MonitorPlugin plugin, String source) {
        Optional<String> fault = Declaration.fault(plugin);
        if (fault.isPresent()) {
            broken.add(new Broken(source, fault.get()));
            return;
        }
        Optional<FoundMonitor> same = monitor(plugin.id());
        if (same.isPresent()) {
            broken.add(new Broken(
                    source, twice("monitor", plugin.id(), source, same.get().source())));
            return;
        }
        monitors.add(new FoundMonitor(plugin, source));
    }

    private void addOutput(OutputPlugin plugin, String source) {
        Optional<String> fault = Declaration.fault(plugin);
        if (fault.isPresent()) {
            broken.add(new Broken(source, fault.get()));
            return;
        }
        Optional<FoundOutput> same = output(plugin.id());
        if (same.isPresent()) {
            broken.add(new Broken(
                    source, twice("output", plugin.id(), source, same.get().source())));
            return;
        }
        outputs.add(new FoundOutput(plugin, source));
    }

    private static String twice(String kind, String id, String source, String first) {
        return "the " + kind + " plugin '" + id + "' is there twice: in " + first + ", which is used, and in " + source
                + "; remove one of them";
    }

    /** Finds a client plugin by its ID. */
    public Optional<FoundClient> client(String id) {
        return clients.stream().filter(found -> found.plugin().id().equals(id)).findFirst();
    }

    /** Lists the client plugins, bundled ones first. */
    public List<FoundClient> clients() {
        return List.copyOf(clients);
    }

    /** Lists the testbed plugins, bundled ones first. */
    public List<FoundTestbed> testbeds() {
        return List.copyOf(testbeds);
    }

    /** Finds a testbed plugin by its ID. */
    public Optional<FoundTestbed> testbed(String id) {
        return testbeds.stream().filter(found -> found.plugin().id().equals(id)).findFirst();
    }

    /** Lists the plugins for formats of exports, bundled ones first. */
    public List<FoundExport> exports() {
        return List.copyOf(exports);
    }

    /** Lists the monitor plugins, bundled ones first. */
    public List<FoundMonitor> monitors() {
        return List.copyOf(monitors);
    }

    /** Finds a monitor plugin by its ID. */
    public Optional<FoundMonitor> monitor(String id) {
        return monitors.stream().filter(found -> found.plugin().id().equals(id)).findFirst();
    }

    /** Lists the plugins for outputs, bundled ones first. */
    public List<FoundOutput> outputs() {
        return List.copyOf(outputs);
    }

    /** Finds a plugin for outputs by its ID. */
    public Optional<FoundOutput> output(String id) {
        return outputs.stream().filter(found -> found.plugin().id().equals(id)).findFirst();
    }

    /** Lists the journeys in Java. */
    public List<FoundJourney> journeys() {
        return List.copyOf(journeys);
    }

    /** Finds a journey in Java by the name of its class. */
    public Optional<FoundJourney> journey(String type) {
        return journeys.stream().filter(found -> found.type().equals(type)).findFirst();
    }

    /** Lists what was to be a plugin and is none. */
    public List<Broken> broken() {
        return List.copyOf(broken);
    }

    /** Closes the jars; their plugins can load no more classes. */
    @Override
    public void close() {
        List<IOException> failures = new ArrayList<>();
        for (JarLoader loader : loaders) {
            try {
                loader.close();
            } catch (IOException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw new UncheckedIOException("A plugin jar could not be closed", failures.get(0));
        }
    }
}
