package org.diperf.controller.service;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.progress.ServiceStartException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.ServiceSettings;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.Host;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * The service under test while the run has it in hand: started before anything is measured, stopped whatever happens.
 * Confined to the run's thread.
 */
public final class ServiceUnderTest implements AutoCloseable {

    private static final long SECOND = 1_000_000_000L;
    private static final long TURN_NANOS = SECOND / 20;
    private static final long GRACE_NANOS = 5 * SECOND;
    private static final long STOP_NANOS = 10 * SECOND;
    private static final String LOG_TEXT = "log:";

    /** Lets time go by. */
    public interface Pause {

        /** Waits for real. */
        Pause REAL = nanos -> new Semaphore(0).tryAcquire(nanos, TimeUnit.NANOSECONDS);

        void await(long nanos) throws InterruptedException;
    }

    /**
     * What the service is told and tells.
     *
     * @param clock of this machine
     * @param pause lets its time go by
     * @param interruption why the run is to end, {@code null} while it is not
     * @param note writes to the run's log
     * @param phase tells the user what is being done
     */
    public record Context(
            NanoClock clock,
            Pause pause,
            Supplier<@Nullable String> interruption,
            Consumer<String> note,
            Consumer<String> phase) {}

    private final ServiceSettings choice;
    private final Host host;
    private final Context context;
    private final Host.Execution execution;
    private final long startedNanos;
    private long readyNanos;
    private long lookedNanos;
    private boolean dead;

    private ServiceUnderTest(ServiceSettings choice, Host host, Context context) throws IOException {
        this.choice = choice;
        this.host = host;
        this.context = context;
        this.startedNanos = context.clock().nanoTime();
        this.execution = host.start(choice.start(), choice.env());
        this.lookedNanos = startedNanos;
    }

    /**
     * Deploys and starts the service and waits until it is ready.
     *
     * @param host where it is to run
     * @throws RunFailedException when it cannot be started, ends or is not ready in time; it is then stopped
     */
    static ServiceUnderTest open(ServiceSettings choice, Host host, Context context)
            throws RunFailedException, InterruptedException {
        boolean here = choice.on().equals(ServiceSettings.LOCAL);
        boolean byLog = choice.ready().startsWith(LOG_TEXT);
        ServiceUnderTest service;
        Readiness asked;
        try {
            asked = byLog ? Optional::empty : Readiness.of(choice.ready(), host, here);
            if (!byLog && asked.missing().isEmpty()) {
                throw new RunFailedException("Did not start the service under test, because something already "
                        + "responds at " + choice.ready() + ". Stop it, or remove 'service' to measure it");
            }
            for (Path each : choice.deploy()) {
                host.put(each, String.valueOf(each.getFileName()));
            }
            context.phase().accept("starting the service under test");
            context.note().accept("starting the service under test on " + host.name() + ": " + choice.start());
            service = new ServiceUnderTest(choice, host, context);
        } catch (IOException e) {
            throw new RunFailedException(
                    "Could not start the service under test on " + choice.on() + ": " + e.getMessage(), e);
        }
        boolean ready = false;
        try {
            service.awaitReady(byLog ? () -> service.missingInLog(choice.ready().substring(LOG_TEXT.length())) : asked);
            ready = true;
            return service;
        } catch (IOException e) {
            throw new RunFailedException(
                    "Could not check the service under test on " + choice.on() + ": " + e.getMessage(), e);
        } finally {
            if (!ready) {
                service.close();
            }
        }
    }

    /**
     * Returns whether something answers already where the service is to, so that no run would start it. What only another machine
     * could tell counts as no answer.
     *
     * @param ownNetwork whether the testbed's machines are in a network that this one is not in
     */
    public static boolean isAnswered(ServiceSettings choice, boolean ownNetwork)
            throws IOException, InterruptedException {
        if (choice.ready().startsWith(LOG_TEXT)) {
            return false;
        }
        Url ready = Url.of(choice.ready());
        return Readiness.isSeenFromHere(ready, choice.on().equals(ServiceSettings.LOCAL), ownNetwork)
                && Readiness.fromHere(ready).missing().isEmpty();
    }

    private Optional<String> missingInLog(String text) throws IOException {
        return execution.hasWritten(text) ? Optional.empty() : Optional.of("no such text in its output");
    }

    private void awaitReady(Readiness readiness) throws RunFailedException, IOException, InterruptedException {
        String wanted = "Expected the service under test to be ready at " + choice.ready() + " within "
                + Quantity.format(choice.readyWithin()) + ", got ";
        while (true) {
            boolean ended = execution.ended();
            Optional<String> missing = readiness.missing();
            readyNanos = context.clock().nanoTime();
            if (ended && !isLeftInBackground()) {
                throw new ServiceStartException(wanted + "an exit with code " + execution.exitCode() + " after "
                        + seconds(readyNanos - startedNanos) + said()
                        + ". Check service.start; it runs in its own folder, with the files from service.deploy");
            }
            if (missing.isEmpty()) {
                context.note().accept("the service under test is ready after " + seconds(readyNanos - startedNanos));
                return;
            }
            String why = context.interruption().get();
            if (why != null) {
                throw new RunFailedException("Interrupted (" + why + ") before the service under test was ready");
            }
            if (readyNanos - startedNanos > choice.readyWithin().toNanos()) {
                throw new ServiceStartException(
                        wanted + missing.get() + said() + ". Increase service.ready-within, or check service.ready");
            }
            context.pause().await(TURN_NANOS);
        }
    }

    /** A start that ends well where there is a way to stop has left the service in the background. */
    private boolean isLeftInBackground() {
        return !choice.stop().isEmpty() && execution.exitCode() == 0;
    }

    private String said() {
        String words = execution.lastWords().strip();
        return words.isEmpty()
                ? "; it printed nothing"
                : "; its last output:\n" + words.indent(2).stripTrailing() + "\n";
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }

    /** Returns the last lines that it wrote. */
    String lastWords() {
        return execution.lastWords();
    }

    /** Describes it for the record: what was started, where, and when it was ready. */
    String summary() {
        return choice.start() + " (on " + host.name() + ", ready after " + seconds(readyNanos - startedNanos) + ")";
    }

    /** Says why the numbers are to be doubted when the service has ended since the last look; at most once. */
    Optional<Warning> died() {
        long now = context.clock().nanoTime();
        if (dead || now - lookedNanos < SECOND / 5) {
            return Optional.empty();
        }
        lookedNanos = now;
        try {
            if (!execution.ended() || isLeftInBackground()) {
                return Optional.empty();
            }
        } catch (IOException e) {
            // A machine that cannot be asked now may answer the next time.
            return Optional.empty();
        }
        dead = true;
        String how = "the service under test exited during the run, with code " + execution.exitCode();
        context.note().accept(how + said());
        return Optional.of(Warning.suspect(Subject.SERVICE, how));
    }

    /** Stops the service: by its own command, then by signals to all that it started. */
    @Override
    public void close() {
        try {
            if (!choice.stop().isEmpty()) {
                Host.Execution stopping = host.start(choice.stop(), choice.env());
                int code = await(stopping, context.pause(), STOP_NANOS);
                stopping.end(0);
                if (code != 0) {
                    context.note().accept("service.stop exited with code " + code);
                }
                await(execution, context.pause(), GRACE_NANOS);
            }
            boolean before = execution.ended();
            execution.end(GRACE_NANOS);
            context.note().accept("the service under test " + (before ? "had ended" : "was stopped"));
        } catch (IOException e) {
            context.note().accept("the service under test could not be stopped: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            endAtOnce();
        }
    }

    private void endAtOnce() {
        try {
            execution.end(0);
        } catch (IOException e) {
            context.note().accept("the service under test could not be stopped: " + e.getMessage());
        }
    }

    /** Waits for the end of a command; gives its exit code, or -1 when that takes too long. */
    static int await(Host.Execution execution, Pause pause, long mostNanos) throws IOException, InterruptedException {
        for (long waited = 0; waited < mostNanos; waited += TURN_NANOS) {
            if (execution.ended()) {
                return execution.exitCode();
            }
            pause.await(TURN_NANOS);
        }
        return -1;
    }
}
