package org.diperf.plugins.http;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.jspecify.annotations.Nullable;

/** Finds the addresses of hosts to which redirects lead, once each and off the event loops. Thread-safe. */
final class RedirectHosts implements AutoCloseable {

    private static final int MOST = 1_000;
    private static final int THREADS = 2;

    /** Takes the addresses of a host, on any thread. */
    interface Finding {

        /**
         * Takes them.
         *
         * @param addresses at least one; {@code null}: there are none
         * @param failure why there are none
         */
        void found(@Nullable Addresses addresses, @Nullable Failure failure);
    }

    private final Map<String, Addresses> known = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor threads;

    RedirectHosts() {
        threads = new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, "diperf-redirect-hosts");
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Returns the addresses of a host that was found before. */
    @Nullable
    Addresses known(HttpTarget host) {
        return known.get(host.server().toString());
    }

    /** Finds the addresses of a host. */
    void find(HttpTarget host, Finding finding) {
        threads.execute(() -> {
            try {
                Addresses addresses = host.server().resolve();
                if (known.size() < MOST) {
                    known.put(host.server().toString(), addresses);
                }
                finding.found(addresses, null);
            } catch (IOException e) {
                finding.found(null, Failure.ofService("redirect to an unknown host"));
            }
        });
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
