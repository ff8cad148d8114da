package org.diperf.controller.service;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.diperf.core.spi.Host;
import org.diperf.core.spi.Url;

/** How to tell that the service under test is ready. */
interface Readiness {

    int TIMEOUT_MILLIS = 2_000;

    /** Looks once; says what is missing, empty when the service is ready. */
    Optional<String> missing() throws IOException, InterruptedException;

    /**
     * Makes the check that an experiment file names.
     *
     * @param ready {@code tcp://HOST:PORT} or the address of a page
     * @param host where the service runs; a loopback address is asked there, and any address if it has a network of its own
     * @param onThisMachine whether that is this machine
     */
    static Readiness of(String ready, Host host, boolean onThisMachine) {
        Url url = Url.of(ready);
        return isSeenFromHere(url, onThisMachine, host.hasOwnNetwork()) ? fromHere(url) : () -> askThere(host, url);
    }

    /**
     * Returns whether this machine can tell what answers at an address.
     *
     * @param onThisMachine whether the service runs on this machine
     * @param ownNetwork whether other machines of the testbed are in a network that this one is not in
     */
    static boolean isSeenFromHere(Url url, boolean onThisMachine, boolean ownNetwork) {
        return onThisMachine || !ownNetwork && !isLoopback(host(url));
    }

    /** Makes the check that this machine does. */
    static Readiness fromHere(Url url) {
        return url.scheme().equals("tcp") ? () -> connect(url) : () -> get(url);
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
    }

    private static String host(Url url) {
        return requireNonNull(url.host(), "URLs of these schemes have one");
    }

    private static Optional<String> connect(Url url) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host(url), url.port()), TIMEOUT_MILLIS);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<String> get(Url url) {
        try {
            HttpURLConnection page = (HttpURLConnection)
                    new URL(url.scheme() + "://" + url.authority() + url.pathAndQuery()).openConnection();
            page.setConnectTimeout(TIMEOUT_MILLIS);
            page.setReadTimeout(TIMEOUT_MILLIS);
            page.setInstanceFollowRedirects(false);
            int status = page.getResponseCode();
            page.disconnect();
            return status >= 200 && status < 400 ? Optional.empty() : Optional.of("status " + status);
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Asks with what a machine is likely to have. */
    private static Optional<String> askThere(Host host, Url url) throws IOException, InterruptedException {
        String place = host(url) + " " + url.port();
        String page = "'" + url.text().replace("'", "'\\''") + "'";
        String command = url.scheme().equals("tcp")
                ? String.format(
                        Locale.ROOT,
                        "bash -c 'exec 3<>/dev/tcp/%s/%d' 2>/dev/null || nc -z %s",
                        host(url),
                        url.port(),
                        place)
                : "curl -fsS -m 2 -o /dev/null " + page + " || wget -q -T 2 -O /dev/null " + page;
        Host.Execution asking = host.start(command, Map.of());
        int code = ServiceUnderTest.await(asking, ServiceUnderTest.Pause.REAL, 2L * TIMEOUT_MILLIS * 1_000_000L);
        asking.end(0);
        return code == 0 ? Optional.empty() : Optional.of("no response yet");
    }
}
