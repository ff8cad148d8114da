package org.diperf.controller.page;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may ask for what. Names of the page are known, so that a foreign name that leads here (DNS rebinding) gets nothing;
 * what a page of another origin asks for is refused; what changes something wants the token, which only the printed link has, in its
 * fragment: a browser sends that to nobody, and no cookie stands in for it. On the loopback everybody on this machine may look; elsewhere looking wants a
 * token of its own. Immutable.
 */
final class AccessControl {

    private static final int TOKEN_BYTES = 16;
    private static final int HTTP_PORT = 80;

    /** None: any will do. */
    private final Set<String> names;

    private final boolean loopback;
    private final int port;
    private final String acting;
    private final String looking;

    /**
     * What is asked, as far as it matters here.
     *
     * @param method of HTTP
     * @param host header; {@code null}: none
     * @param origin header
     * @param site header {@code Sec-Fetch-PageHandler}
     * @param mode header {@code Sec-Fetch-Mode}
     * @param token header {@code X-DiPerF-Token}
     * @param look the token for looking, from a cookie or the address
     */
    record Asked(
            String method,
            @Nullable String host,
            @Nullable String origin,
            @Nullable String site,
            @Nullable String mode,
            @Nullable String token,
            @Nullable String look) {}

    /**
     * Why something is refused.
     *
     * @param status of HTTP
     * @param reason one line
     */
    record Refusal(int status, String reason) {}

    AccessControl(Set<String> names, boolean loopback, int port, String acting, String looking) {
        this.names = Set.copyOf(names);
        this.loopback = loopback;
        this.port = port;
        this.acting = acting;
        this.looking = looking;
    }

    /**
     * Makes the gate of a page that listens.
     *
     * @param listen address or name that was asked for
     * @param bound address that it became
     */
    static AccessControl of(String listen, InetAddress bound, int port) {
        SecureRandom random = new SecureRandom();
        return new AccessControl(
                names(listen, bound, port), bound.isLoopbackAddress(), port, token(random), token(random));
    }

    /** Makes that of numbers that whoever reaches them may read; on this machine alone, only by its own names. */
    static AccessControl ofMetrics(String listen, InetAddress bound, int port) {
        SecureRandom random = new SecureRandom();
        return new AccessControl(
                bound.isLoopbackAddress() ? names(listen, bound, port) : Set.of(),
                true,
                port,
                token(random),
                token(random));
    }

    /** Makes one with known tokens, for tests. */
    private static String token(SecureRandom random) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static Set<String> names(String listen, InetAddress bound, int port) {
        Set<String> hosts = new LinkedHashSet<>();
        hosts.add(listen);
        hosts.add(literal(bound));
        if (bound.isLoopbackAddress() || bound.isAnyLocalAddress()) {
            hosts.addAll(List.of("127.0.0.1", "localhost", "[::1]"));
        }
        if (bound.isAnyLocalAddress()) {
            addresses().forEach(address -> hosts.add(literal(address)));
            try {
                hosts.add(InetAddress.getLocalHost().getHostName());
            } catch (java.net.UnknownHostException e) {
                // Its addresses do.
            }
        }
        Set<String> names = new LinkedHashSet<>();
        for (String host : hosts) {
            names.add(host.toLowerCase(Locale.ROOT) + ":" + port);
            if (port == HTTP_PORT) {
                names.add(host.toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    private static List<InetAddress> addresses() {
        List<InetAddress> all = new ArrayList<>();
        try {
            for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                all.addAll(Collections.list(each.getInetAddresses()));
            }
        } catch (SocketException e) {
            // Then the page is reached by the names that are known.
        }
        return all;
    }

    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        String plain = zone < 0 ? text : text.substring(0, zone);
        return address instanceof Inet6Address ? "[" + plain + "]" : plain;
    }

    /** Returns the link that lets its owner look and act. */
    String link(InetAddress bound) {
        String host = literal(bound);
        if (bound.isAnyLocalAddress()) {
            host = addresses().stream()
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .map(AccessControl::literal)
                    .findFirst()
                    .orElse("127.0.0.1");
        }
        return "http://" + host + ":" + port + "/" + (loopback ? "" : "?look=" + looking) + "#" + acting;
    }

    /** Returns the name of the cookie that lets a browser look; cookies are not kept apart by port, so the port is in it. */
    String cookie() {
        return "diperf-" + port;
    }

    /** Returns whether looking wants a token. */
    boolean guardsLooking() {
        return !loopback;
    }

    /** Returns why what is asked is refused; {@code null}: it is not. */
    @Nullable
    Refusal refuse(Asked asked) {
        String host = asked.host() == null ? "" : asked.host().toLowerCase(Locale.ROOT);
        if (!names.isEmpty() && !names.contains(host)) {
            return new Refusal(421, "Unknown host name for this page. Open the link that diperf printed.");
        }
        String origin = asked.origin();
        boolean isOwn = ("http://" + host).equalsIgnoreCase(origin);
        if (origin != null && !isOwn) {
            return new Refusal(403, "Request refused because it comes from another page.");
        }
        String site = asked.site();
        boolean isOpened = "navigate".equals(asked.mode()) && asked.method().equals("GET");
        if (site != null && !site.equals("same-origin") && !site.equals("none") && !isOpened) {
            return new Refusal(403, "Request refused because it comes from another page.");
        }
        if (asked.method().equals("POST")) {
            return isOwn && same(asked.token(), acting)
                    ? null
                    : new Refusal(403, "Open the full link that diperf printed, including the token after the #.");
        }
        if (!asked.method().equals("GET")) {
            return new Refusal(405, "Expected GET or POST.");
        }
        return loopback || same(asked.look(), looking)
                ? null
                : new Refusal(403, "Open the full link that diperf printed.");
    }

    private static boolean same(@Nullable String given, String wanted) {
        return given != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), wanted.getBytes(StandardCharsets.UTF_8));
    }
}
