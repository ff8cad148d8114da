package org.diperf.tester.link;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.machine.LocalMachine;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.Ticket;
import org.diperf.tester.engine.EngineFactory;
import org.diperf.tester.engine.RunningEngine;
import org.diperf.tester.engine.TesterPlugins;

/**
 * One tester: joins a run by its ticket, runs the engine and ships its blocks. {@link #run} blocks its caller, which
 * becomes the tester's main thread; {@link #close} may come from any thread.
 */
public final class Tester implements AutoCloseable {

    private static final long CLOSE_SECONDS = 5;
    private static final int MAX_FLAGS = 200;

    private final Setup setup;
    private final Link link;
    private final NanoClock clock;
    private final int number;
    private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean running;

    /**
     * What a tester has.
     *
     * @param plugins finds plugins
     * @param jars the plugin jars that it was started with, compared with the controller's
     * @param engines makes the engine
     * @param facts about this machine
     * @param folder scratch folder of this tester alone
     * @param spoolBytes of samples kept until they are acknowledged; when full, the load stops
     * @param joinNanos how long it tries to join
     * @param spoolFolder where it leaves samples that nobody took, when it has to end
     */
    public record Setup(
            TesterPlugins.Source plugins,
            List<Path> jars,
            EngineFactory engines,
            TesterFacts facts,
            Path folder,
            long spoolBytes,
            long joinNanos,
            Path spoolFolder) {

        /** Leaves samples that nobody took in its scratch folder. */
        public Setup(
                TesterPlugins.Source plugins,
                List<Path> jars,
                EngineFactory engines,
                TesterFacts facts,
                Path folder,
                long spoolBytes,
                long joinNanos) {
            this(plugins, jars, engines, facts, folder, spoolBytes, joinNanos, folder);
        }

        /** Bytes of samples kept, unless told otherwise. */
        public static final long SPOOL_BYTES =
                Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 4);

        /** How long a tester tries to join, unless told otherwise. */
        public static final long JOIN_NANOS = Duration.ofMinutes(1).toNanos();

        public Setup {
            jars = List.copyOf(jars);
        }
    }

    /** Reads what a tester in this JVM tells of itself when it joins. */
    public static TesterFacts facts() {
        List<String> flags = LocalMachine.jvmFlags();
        return new TesterFacts(
                LocalMachine.hostName(),
                LocalMachine.cores(),
                LocalMachine.memoryBytes(),
                System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"),
                flags.subList(0, Math.min(flags.size(), MAX_FLAGS)),
                LocalMachine.operatingSystem(),
                LocalMachine.debuggerAttached());
    }

    /** @throws SSLException when this JVM cannot use the ticket's keys */
    public Tester(Ticket ticket, Setup setup, NanoClock clock) throws SSLException {
        this.setup = setup;
        this.clock = clock;
        this.number = ticket.tester();
        this.link = new Link(ticket, setup, clock, this::prepareLater, () -> work.add(() -> {}));
    }

    /**
     * Takes part until the controller says goodbye, or is gone for too long.
     *
     * @return an {@link ExitCode}
     */
    public int run() throws InterruptedException {
        running = true;
        try {
            link.open();
            while (link.exitCode().isEmpty()) {
                work.take().run();
            }
            return link.exitCode().getAsInt();
        } finally {
            link.close();
            over.countDown();
        }
    }

    private void prepareLater(Assignment assignment) {
        work.add(() -> prepare(assignment));
    }

    private void prepare(Assignment assignment) {
        RunningEngine engine = null;
        try {
            Optional<String> unequal = JarCheck.difference(assignment.jars(), setup.jars());
            if (unequal.isPresent()) {
                link.refuse(unequal.get());
                return;
            }
            Map<String, ClientPlugin> clients = new LinkedHashMap<>();
            for (String id : assignment.script().plugins(assignment.plugin())) {
                Optional<ClientPlugin> plugin = setup.plugins().client(id);
                if (plugin.isEmpty()) {
                    link.refuse("Expected the client plugin '" + id
                            + "', got no such plugin on this tester: pass its jar with --plugin");
                    return;
                }
                clients.put(id, plugin.get());
            }
            Map<String, Supplier<JavaJourney>> journeys = new LinkedHashMap<>();
            for (String type : assignment.script().code()) {
                Optional<Supplier<JavaJourney>> maker = setup.plugins().journey(type);
                if (maker.isEmpty()) {
                    link.refuse("Expected the journey " + type
                            + ", got no such class on this tester: pass its jar with --plugin");
                    return;
                }
                journeys.put(type, maker.get());
            }
            TesterPlugins plugins = new TesterPlugins(clients, journeys);
            engine =
                    setup.engines().create(assignment, number, plugins, setup.folder(), link.spool(), clock, link::log);
            engine.prepare();
            link.prepared(engine);
        } catch (Exception | LinkageError e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            if (engine != null) {
                engine.close();
            }
            String reason = e.getMessage();
            link.refuse(
                    e instanceof IOException || e instanceof IllegalArgumentException
                            ? String.valueOf(reason)
                            : e.getClass().getSimpleName() + (reason == null ? "" : ": " + reason));
        }
    }

    /**
     * Stops the load, ships what it can within five seconds and ends {@link #run}; idempotent. A tester that has never
     * been run is released too.
     */
    @Override
    public void close() {
        link.terminate();
        try {
            if (!running || !over.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                link.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            link.close();
        }
    }
}
