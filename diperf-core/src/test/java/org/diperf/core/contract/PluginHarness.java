package org.diperf.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.diperf.core.machine.LocalMachine;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Loop;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * Runs one plugin as a tester does, a call at a time: opens its session, makes clients on their owners' threads and
 * calls them. Used by one test thread.
 */
public final class PluginHarness implements AutoCloseable {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final long SEED = 7;
    private static final int MAX_CALLS_AT_ONCE = 1_000;

    private static final long MEMORY_BYTES = 16 << 20;

    private final List<Url> targets;
    private final Parameters with;
    private final Duration timeout;
    private final Path folder;
    private final TestLoop loop;
    private final RecorderProbe recorder = new RecorderProbe();
    private final Memory memory = new Memory(MEMORY_BYTES);
    private final Session session;
    private final Duration wait;
    private final int mostAtOnce;

    /**
     * Opens the plugin's session.
     *
     * @param with the parameters as they would stand in the file
     * @param timeout what the clients are told; the harness itself never cuts a call short
     * @param loop which asynchronous clients get; closed with the harness
     */
    public PluginHarness(
            ClientPlugin plugin, List<Url> targets, Map<String, ?> with, Duration timeout, Path folder, TestLoop loop)
            throws Exception {
        this(plugin, targets, with, timeout, folder, loop, WAIT);
    }

    /** Returns for how many ms something is waited for: under a debugger, which may hold everything, for as long as it takes. */
    static long patience(Duration otherwise) {
        return patience(otherwise, LocalMachine.debuggerAttached());
    }

    static long patience(Duration otherwise, boolean debugged) {
        return debugged ? Long.MAX_VALUE : otherwise.toMillis();
    }

    /** As the other one, but waits so long for the end of a call. */
    PluginHarness(
            ClientPlugin plugin,
            List<Url> targets,
            Map<String, ?> with,
            Duration timeout,
            Path folder,
            TestLoop loop,
            Duration wait)
            throws Exception {
        this.wait = wait;
        this.targets = List.copyOf(targets);
        this.with = Parameters.read(plugin.parameters(), with, SEED);
        this.timeout = timeout;
        this.folder = folder;
        this.loop = loop;
        this.mostAtOnce = plugin.traits().contains(ClientTrait.MAKES_CALLS_AT_ONCE) ? MAX_CALLS_AT_ONCE : 1;
        try {
            for (Url target : targets) {
                plugin.check(target, this.with);
            }
            this.session = plugin.open(new SessionOfHarness());
        } catch (Exception e) {
            loop.close();
            throw e;
        }
    }

    /** Returns what was recorded by the session and all clients. */
    public RecorderProbe recorder() {
        return recorder;
    }

    /** Returns what counts the memory that clients keep of answers, which is 16 MiB. */
    public Memory memory() {
        return memory;
    }

    /** Returns the session. */
    public Session session() {
        return session;
    }

    /** Makes a client and opens it, on the thread that owns it. */
    public Owned client(int number) throws Exception {
        Owned owned = new Owned(number);
        owned.onOwner(() -> {
            owned.client = session.newClient();
            owned.client().open(new ContextOfHarness(number));
            return true;
        });
        if (owned.client() instanceof AsyncClient async) {
            assertThat(async.callsAtOnce())
                    .as("calls at once, more than one of which take the trait MAKES_CALLS_AT_ONCE")
                    .isBetween(1, mostAtOnce);
        }
        return owned;
    }

    /** As {@link #client}; where {@code open} throws, its reason is that of every call, as in a tester. */
    public Owned tryClient(int number) throws Exception {
        Owned owned = new Owned(number);
        owned.onOwner(() -> {
            owned.client = session.newClient();
            try {
                owned.client().open(new ContextOfHarness(number));
            } catch (Exception e) {
                owned.notOpened = String.valueOf(e.getMessage());
            }
            return true;
        });
        return owned;
    }

    /** Closes the session, then the loop. */
    @Override
    public void close() throws Exception {
        try {
            session.close();
        } finally {
            loop.close();
        }
    }

    /** What a client is asked for. */
    private interface Entry {
        void enter() throws Exception;
    }

    /** A client with its owner. */
    public final class Owned implements AutoCloseable {

        private final int number;
        private final @Nullable JdkLoop thread;
        private @Nullable Client client;
        private final CountDownLatch entered = new CountDownLatch(1);
        private @Nullable String notOpened;
        private long calls;

        private Owned(int number) {
            this.number = number;
            // A blocking client's owner is a thread of its own, for which a one-thread executor stands in.
            this.thread = session.kind() == BlockingClient.class ? new JdkLoop() : null;
        }

        /** Returns the client itself. */
        public Client client() {
            if (client == null) {
                throw new IllegalStateException("The session made no client");
            }
            return client;
        }

        /** Makes a call to the first target and waits for its end. */
        public CallProbe call() throws Exception {
            return call(0);
        }

        /** Makes a call to this target and waits for its end. */
        public CallProbe call(int target) throws Exception {
            return ended(begin(target));
        }

        /** Has an asynchronous client connect to the first target and waits for the end of that. */
        public CallProbe connect() throws Exception {
            CallProbe call = new CallProbe(number, calls, targets.get(0), 0);
            owner().execute(() -> enter(call, () -> ((AsyncClient) client()).connect(call)));
            return ended(call);
        }

        private CallProbe ended(CallProbe call) throws Exception {
            if (!call.awaitEnd(patience(wait))) {
                cancel(call); // or closing the client would wait for the call once more
                throw new TimeoutException("The call has not ended after " + wait.toSeconds()
                        + " s: does the service in the test speak the client's protocol?");
            }
            // Whatever is still done with the call on the owner's thread, such as a second end, is seen too.
            onOwner(() -> true);
            return call;
        }

        /** Begins a call; a blocking one continues in its owner's thread. */
        public CallProbe begin(int target) {
            CallProbe call = new CallProbe(number, calls++, targets.get(target), target);
            owner().execute(() -> enter(call, () -> make(call)));
            return call;
        }

        /** Waits until the owner's thread has begun with the first call. */
        public void awaitEntered() throws InterruptedException {
            entered.await();
        }

        private void enter(CallProbe call, Entry entry) {
            entered.countDown();
            if (notOpened != null) {
                call.fail(notOpened);
                return;
            }
            try {
                entry.enter();
            } catch (InterruptedException e) {
                call.fail("interrupted");
            } catch (Exception e) {
                call.fail(String.valueOf(e.getMessage()));
            }
        }

        private void make(CallProbe call) throws Exception {
            if (client() instanceof BlockingClient blocking) {
                blocking.call(call);
                // Returning means ok, unless fail was called.
                if (call.ends() == 0) {
                    call.ok();
                }
            } else {
                ((AsyncClient) client()).call(call);
            }
        }

        /** Gives up a call: cancels it on the loop, or interrupts its thread. */
        public void cancel(CallProbe call) {
            if (client() instanceof AsyncClient async) {
                owner().execute(() -> async.cancel(call));
            } else {
                interrupt();
            }
        }

        private void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }

        /** Runs something on the owner's thread and waits for it. */
        public <T> T onOwner(Callable<T> task) throws Exception {
            FutureTask<T> future = new FutureTask<>(task);
            owner().execute(future);
            try {
                return future.get(patience(WAIT), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw new CompletionException(e.getCause());
            }
        }

        private Loop owner() {
            return thread != null ? thread : loop;
        }

        /** Closes the client on its owner's thread. */
        @Override
        public void close() throws Exception {
            try {
                if (client != null) {
                    onOwner(() -> {
                        client().close();
                        return true;
                    });
                }
            } finally {
                if (thread != null) {
                    thread.close();
                }
            }
        }
    }

    private final class ContextOfHarness implements Context {

        private final int number;

        ContextOfHarness(int number) {
            this.number = number;
        }

        @Override
        public int client() {
            return number;
        }

        @Override
        public Url target() {
            return targets.get(0);
        }

        @Override
        public Duration timeout() {
            return timeout;
        }

        @Override
        public Parameters with() {
            return with;
        }

        @Override
        public Recorder recorder() {
            return recorder;
        }

        @Override
        public Loop loop() {
            if (session.kind() == BlockingClient.class) {
                throw new IllegalStateException("A blocking client has a thread and no loop");
            }
            return loop;
        }
    }

    private final class SessionOfHarness implements SessionContext {

        @Override
        public int tester() {
            return 1;
        }

        @Override
        public List<Url> targets() {
            return targets;
        }

        @Override
        public Parameters with() {
            return with;
        }

        @Override
        public Duration timeout() {
            return timeout;
        }

        @Override
        public Path folder() {
            return folder;
        }

        @Override
        public Recorder recorder() {
            return recorder;
        }

        @Override
        public Memory memory() {
            return memory;
        }

        @Override
        public int clients() {
            return 1;
        }
    }
}
