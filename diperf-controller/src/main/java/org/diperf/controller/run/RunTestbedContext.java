package org.diperf.controller.run;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.diperf.controller.run.directory.RunDirectory;
import org.diperf.controller.testbed.EmbeddedTesterJar;
import org.diperf.controller.testbed.InProcessTestbed;
import org.diperf.controller.testbed.LocalTestbed;
import org.diperf.controller.testbed.TesterCache;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.Url;
import org.diperf.core.wire.PluginJar;

/**
 * What the testbed of one run is told.
 *
 * @param with its parameters
 * @param count of the testers
 * @param files path there to file here, of those that it is to send
 * @param failures takes why a tester has failed
 */
record RunTestbedContext(
        RunScope scope,
        Parameters with,
        IntSupplier count,
        Map<String, Path> files,
        RunDirectory run,
        CollectorStartup collector,
        BiConsumer<Integer, String> failures)
        implements TestbedContext, InProcessTestbed.SharesPlugins, LocalTestbed.Neighbour {

    private static final String TESTER = "diperf-tester.jar";

    @Override
    public long seed() {
        return scope.experiment().seed();
    }

    @Override
    public String plugin() {
        return scope.plugin().id();
    }

    @Override
    public Plugins plugins() {
        return scope.options().plugins();
    }

    @Override
    public List<Path> pluginJars() {
        return scope.options().pluginJars();
    }

    @Override
    public List<Url> targets() {
        return scope.experiment().targets().each();
    }

    @Override
    public int testers() {
        return count.getAsInt();
    }

    @Override
    public String ticket(int tester) {
        return collector.ticket(tester);
    }

    @Override
    public String ticket(int tester, String host, int port) {
        return collector.ticket(tester, host, port);
    }

    @Override
    public InetSocketAddress controller() {
        return collector.address();
    }

    /**
     * Returns the kept copy of the tester that the controller's jar carries, or makes one for this run; without a jar, as in
     * an IDE, gives the class path.
     */
    @Override
    public List<Path> testerClassPath() {
        try {
            Optional<EmbeddedTesterJar> carried = EmbeddedTesterJar.find();
            if (carried.isEmpty()) {
                return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(Path::of)
                        .toList();
            }
            Optional<Path> kept = TesterCache.jar(carried.get(), privateFolder());
            if (kept.isPresent()) {
                return List.of(kept.get());
            }
            Path jar = privateFolder().resolve(TESTER);
            if (!Files.exists(jar)) {
                carried.get().writeTo(jar);
            }
            return List.of(jar);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create the tester's jar in " + privateFolder(), e);
        }
    }

    @Override
    public CompletableFuture<Void> joined(int tester) {
        return collector.joined(tester);
    }

    @Override
    public String java() {
        return scope.experiment().testbed().java();
    }

    @Override
    public List<String> jvm() {
        return scope.experiment().testbed().jvm();
    }

    @Override
    public Path folder() {
        try {
            return run.testerLogs();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Path privateFolder() {
        return run.control();
    }

    @Override
    public void failed(int tester, String reason) {
        failures.accept(tester, reason);
    }

    @Override
    public void log(String line) {
        scope.output().noteOfTestbed(line);
    }

    @Override
    public void changed(long atNanos, String what) {
        scope.output().changed(atNanos, what);
    }

    @Override
    public void suspect(String why) {
        announce(why);
        scope.troubles().warn(Warning.suspect(Subject.TESTBED, why));
    }

    @Override
    public void announce(String line) {
        log(line);
        scope.output().announce(line);
    }

    /** Names the jars by their content, so that a tester can tell whether it has the same. */
    static List<PluginJar> digests(List<Path> jars) {
        List<PluginJar> digests = new ArrayList<>();
        for (Path jar : jars) {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
                digests.add(new PluginJar(
                        jar.getFileName().toString(), HexFormat.of().formatHex(digest)));
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot read plugin " + jar, e);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Expected SHA-256 in this Java, got none", e);
            }
        }
        return digests;
    }
}
