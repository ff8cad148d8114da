package org.diperf.core.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.NearestName;
import org.diperf.core.spi.OutputPlugin;
import org.diperf.core.spi.Plugin;
import org.diperf.core.spi.StarterPlugin;
import org.diperf.core.spi.TestbedPlugin;

/**
 * The plugins found: bundled ones on the class path and those of jars, each jar in a child-first loader of its own. One
 * that cannot be used is among the {@link #broken} with its reason, and the others work. Of two with the same ID the
 * first stays. Those on the class path are looked for when their kind is first asked for, because a command needs few kinds
 * and loading classes takes as long as the rest of its start. Safe to ask from any thread once loaded.
 */
public final class Plugins implements AutoCloseable {

    private static final String BUNDLED = "bundled";
    // A provider file that fails at every line must end too.
    private static final int MAX_PROVIDERS = 1_000;

    private final List<Registry<?>> registries = new ArrayList<>();
    /** Kinds of which those on the class path are still to be looked for. */
    private final Set<Registry<?>> bundled = new HashSet<>();

    private final Registry<ClientPlugin> clients = kind(ClientPlugin.class);
    private final Registry<TestbedPlugin> testbeds = kind(TestbedPlugin.class);
    private final Registry<MonitorPlugin> monitors = kind(MonitorPlugin.class);
    private final Registry<ExportPlugin> exports = kind(ExportPlugin.class);
    private final Registry<OutputPlugin> outputs = kind(OutputPlugin.class);
    private final Registry<CommandPlugin> commands = kind(CommandPlugin.class);
    private final Registry<StarterPlugin> starters = kind(StarterPlugin.class);
    private final Registry<JavaJourney> journeys = kind(JavaJourney.class);
    private final List<Broken> broken = new ArrayList<>();
    private final List<JarLoader> loaders = new ArrayList<>();

    private Plugins() {}

    private <P> Registry<P> kind(Class<P> service) {
        Registry<P> registry = new Registry<>(service);
        registries.add(registry);
        return registry;
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
        String suggestion = NearestName.suggestion(asked, known);
        return (suggestion.isEmpty() ? "." : suggestion)
                + " For a plugin that is not built in, put its jar in plugins/ next to DiPerF's own jar, or use "
                + "--plugins DIR";
    }

    /** Loads none. */
    public static Plugins none() {
        return new Plugins();
    }

    /** Loads the plugins on the class path alone. */
    public static Plugins bundled() {
        Plugins plugins = new Plugins();
        plugins.bundled.addAll(plugins.registries);
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
        Optional<ClientPlugin> same = plugins.clients().plugin(plugin.id());
        if (same.isPresent() && plugin instanceof SingleClassPlugin one && one.isOfSameClass(same.get())) {
            return plugins;
        }
        int before = plugins.broken.size();
        plugins.add(
                plugins.clients,
                () -> plugin,
                plugin.getClass(),
                plugin.getClass().getName());
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
        return new SingleClassPlugin(type);
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
                broken.add(new Broken(source, "is not a jar: " + e.getMessage() + "; rebuild it or copy it again"));
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
        registries.forEach(registry -> addAll(registry, loader, source));
        if (found() == before) {
            String others = registries.stream()
                    .map(kind -> "..." + kind.service().getSimpleName())
                    .collect(Collectors.joining(", "));
            broken.add(new Broken(
                    source,
                    "contains no plugin: add META-INF/services/" + Client.class.getName() + " (or " + others
                            + ") with the name of the plugin's class"));
        }
    }

    private int found() {
        return broken.size()
                + registries.stream()
                        .mapToInt(registry -> registry.ids().size())
                        .sum();
    }

    private <P> void addAll(Registry<P> registry, ClassLoader loader, String source) {
        Class<P> service = registry.service();
        eachProvider(
                service,
                loader,
                source,
                provider -> add(registry, () -> own(service, provider.get(), loader), provider.type(), source));
        if (service == ClientPlugin.class) {
            eachProvider(
                    Client.class,
                    loader,
                    source,
                    client -> add(
                            clients,
                            () -> own(ClientPlugin.class, new SingleClassPlugin(client.type()), loader),
                            client.type(),
                            source));
        }
    }

    /** Returns the plugins of a kind, with those on the class path. */
    private synchronized <P> Registry<P> whole(Registry<P> registry) {
        if (bundled.remove(registry)) {
            addAll(registry, Plugins.class.getClassLoader(), BUNDLED);
        }
        return registry;
    }

    private static <P> P own(Class<P> service, P plugin, ClassLoader loader) {
        return loader instanceof JarLoader ? PluginLoaderProxy.of(service, plugin, loader) : plugin;
    }

    private <P> void add(Registry<P> registry, Supplier<P> maker, Class<?> type, String source) {
        P made = maker.get();
        Optional<String> fault = made instanceof Plugin plugin ? Declaration.fault(plugin) : Optional.empty();
        String id = made instanceof Plugin plugin ? plugin.id() : type.getName();
        whole(registry);
        fault.or(() -> made instanceof StarterPlugin starter
                        ? Declaration.clash(starter, starters.plugins())
                        : Optional.empty())
                .or(() -> registry.add(new Registry.Found<>(id, made, source, maker)))
                .ifPresent(reason -> broken.add(new Broken(source, reason)));
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
                        broken.add(new Broken(source, "refers to the class " + name + ", which is not in this jar"));
                    }
                });
            } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
                broken.add(new Broken(source, LoadFailureReasons.of(e)));
            }
        }
    }

    /** Returns the client plugins. */
    public Registry<ClientPlugin> clients() {
        return whole(clients);
    }

    /** Returns the testbed plugins. */
    public Registry<TestbedPlugin> testbeds() {
        return whole(testbeds);
    }

    /** Returns the monitor plugins. */
    public Registry<MonitorPlugin> monitors() {
        return whole(monitors);
    }

    /** Returns the plugins for formats of exports. */
    public Registry<ExportPlugin> exports() {
        return whole(exports);
    }

    /** Returns the plugins for outputs. */
    public Registry<OutputPlugin> outputs() {
        return whole(outputs);
    }

    /** Returns the plugins for commands. */
    public Registry<CommandPlugin> commands() {
        return whole(commands);
    }

    /** Returns the plugins for first experiments. */
    public Registry<StarterPlugin> starters() {
        return whole(starters);
    }

    /** Returns the journeys in Java, by the names of their classes. */
    public Registry<JavaJourney> journeys() {
        return whole(journeys);
    }

    /** Lists what was to be a plugin and is none. */
    public List<Broken> broken() {
        registries.forEach(this::whole);
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
