package org.diperf.controller.testbed;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.core.wire.Ticket;
import org.diperf.tester.engine.Engine;
import org.diperf.tester.engine.TesterPlugins;
import org.diperf.tester.link.Tester;

/**
 * Runs testers as threads of the controller's process: for tests, and to debug a client in an IDE. The testers share
 * the controller's plugins, and with them its class loaders.
 */
public final class InProcessTestbed implements TestbedPlugin {

    private static final long END_MILLIS = 5_000;

    /** What a testbed in the controller's process is told besides. */
    public interface SharesPlugins {
        /** Returns the plugins that the controller loaded. */
        Plugins plugins();
    }

    @Override
    public String id() {
        return "in-process";
    }

    @Override
    public String summary() {
        return "testers are threads in the controller; for tests and debugging";
    }

    @Override
    public boolean runsHere() {
        return true;
    }

    @Override
    public boolean runsInController() {
        return true;
    }

    @Override
    public Testbed open(TestbedContext context) {
        if (!(context instanceof SharesPlugins shared)) {
            throw new IllegalStateException(
                    "The in-process testbed needs the controller's plugins; the context of type "
                            + context.getClass().getName() + " has none");
        }
        return new Threads(context, shared.plugins());
    }

    private static final class Threads implements Testbed {

        private final TestbedContext context;
        private final Plugins plugins;
        private final List<Thread> threads = new ArrayList<>();

        Threads(TestbedContext context, Plugins plugins) {
            this.context = context;
            this.plugins = plugins;
        }

        @Override
        public void start(List<Place> places) throws Exception {
            for (Place place : places) {
                int tester = place.tester();
                Ticket ticket = Ticket.parse(context.ticket(tester));
                Thread thread = new Thread(() -> run(tester, ticket), "diperf-tester-" + tester);
                thread.setDaemon(true);
                threads.add(thread);
                thread.start();
            }
        }

        private void run(int number, Ticket ticket) {
            try (ScratchFolder folder = ScratchFolder.temporary();
                    Tester tester = new Tester(ticket, setup(folder), NanoClock.SYSTEM)) {
                int code = tester.run();
                if (code != 0) {
                    context.failed(number, "it exited with code " + code);
                }
            } catch (InterruptedException e) {
                context.log("tester-" + number + " was interrupted");
            } catch (IOException | RuntimeException e) {
                context.failed(number, "it broke: " + e);
            }
        }

        private Tester.Setup setup(ScratchFolder folder) {
            return new Tester.Setup(
                    TesterPlugins.Source.of(() -> plugins),
                    context.pluginJars(),
                    Engine.factory(Math.max(1, Runtime.getRuntime().availableProcessors() / context.testers())),
                    Tester.facts(),
                    folder.path(),
                    Tester.Setup.SPOOL_BYTES,
                    Tester.Setup.JOIN_NANOS);
        }

        @Override
        public void close() throws InterruptedException {
            for (Thread thread : threads) {
                thread.join(END_MILLIS);
                if (thread.isAlive()) {
                    thread.interrupt();
                    thread.join(END_MILLIS);
                }
            }
        }
    }
}
