package org.diperf.plugins.http;

import io.netty.handler.codec.http.cookie.ClientCookieDecoder;
import io.netty.handler.codec.http.cookie.ClientCookieEncoder;
import io.netty.handler.codec.http.cookie.Cookie;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Memory;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.jspecify.annotations.Nullable;

/**
 * The cookies of one client, by RFC 6265. Confined to the client's owner.
 *
 * <p>It keeps at most 300 cookies, 50 of them for one domain, each of at most 4 KiB; the oldest make way. It knows no list of public
 * suffixes: a domain of one label, such as {@code com}, is refused, and {@code co.uk} is not.
 */
final class CookieJar {

    private static final int MOST = 300;
    private static final int MAX_OF_DOMAIN = 50;
    private static final int MAX_BYTES = 4 << 10;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** A cookie that lasts longer outlives every run. */
    private static final long MAX_SECONDS = 10L * 365 * 24 * 3_600;

    /** Around names, and before values, which count for nothing (RFC 6265, section 5.2). */
    private static final Pattern BLANKS = Pattern.compile("(^|;)[ \\t]*([^=;]*?)[ \\t]*=[ \\t]*");

    private static final Comparator<Kept> LONGER_PATHS_FIRST = Comparator.comparingInt(each -> -each.path.length());

    /**
     * A cookie that was set.
     *
     * @param domain in lower case
     * @param hostOnly whether hosts below the domain do not get it
     * @param lasts whether it ends with the client alone; else at {@code endNanos}
     */
    private record Kept(
            Cookie cookie, String domain, boolean hostOnly, String path, boolean secure, boolean lasts, long endNanos) {

        /** Counts its texts twice: they are kept, and go along with each request. */
        long bytes() {
            return OVERHEAD_BYTES
                    + 2L * (cookie.name().length() + cookie.value().length() + domain.length() + path.length());
        }

        boolean isSame(Kept other) {
            return cookie.name().equals(other.cookie.name()) && domain.equals(other.domain) && path.equals(other.path);
        }
    }

    /** What a cookie takes next to its texts. */
    private static final long OVERHEAD_BYTES = 256;

    private final NanoClock clock;
    private final Memory memory;
    /** In the order in which they were first set. */
    private final List<Kept> cookies = new ArrayList<>();

    /** @param memory counts what they take */
    CookieJar(NanoClock clock, Memory memory) {
        this.clock = clock;
        this.memory = memory;
    }

    /** Forgets all. */
    void clear() {
        removeIf(each -> true);
    }

    private void removeIf(Predicate<Kept> gone) {
        cookies.removeIf(each -> gone.test(each) && memory.resize(each.bytes(), 0));
    }

    /**
     * Takes what an answer sets.
     *
     * @param from who answered
     * @param path of the request, with its query
     * @param fields values of {@code Set-Cookie}, in order
     * @return whether there was memory for all of them
     */
    boolean take(HttpTarget from, String path, List<String> fields) {
        boolean fits = true;
        for (String field : fields) {
            boolean usable = field.length() <= MAX_BYTES && field.chars().noneMatch(c -> c < ' ' && c != '\t');
            Cookie cookie = usable
                    ? ClientCookieDecoder.LAX.decode(BLANKS.matcher(field).replaceAll("$1$2="))
                    : null;
            if (cookie != null) {
                cookie.setValue(cookie.value().strip());
                fits &= take(from, path, cookie);
            }
        }
        return fits;
    }

    private boolean take(HttpTarget from, String path, Cookie cookie) {
        String host = lower(from.server().host());
        String given = cookie.domain() == null ? "" : lower(cookie.domain()).replaceFirst("^\\.", "");
        boolean hostOnly = given.isEmpty() || given.equals(host) && isOneLabelOrAddress(host);
        if (!hostOnly && (!isWithin(host, given) || isOneLabelOrAddress(given))) {
            return true;
        }
        String itsPath = cookie.path();
        long seconds = cookie.maxAge();
        boolean lasts = seconds == Cookie.UNDEFINED_MAX_AGE;
        Kept kept = new Kept(
                cookie,
                hostOnly ? host : given,
                hostOnly,
                itsPath == null || !itsPath.startsWith("/") ? folder(path) : itsPath,
                cookie.isSecure(),
                lasts,
                lasts ? 0 : clock.nanoTime() + Math.min(seconds, MAX_SECONDS) * NANOS_PER_SECOND);
        return keep(kept, !lasts && seconds <= 0);
    }

    private boolean keep(Kept kept, boolean gone) {
        for (int i = 0; i < cookies.size(); i++) {
            Kept old = cookies.get(i);
            if (old.isSame(kept)) {
                boolean fits = memory.resize(old.bytes(), gone ? 0 : kept.bytes());
                if (gone) {
                    cookies.remove(i);
                } else if (fits) {
                    cookies.set(i, kept);
                }
                return fits;
            }
        }
        if (gone) {
            return true;
        }
        dropEnded();
        int oldest = -1;
        int ofDomain = 0;
        for (int i = cookies.size() - 1; i >= 0; i--) {
            if (cookies.get(i).domain.equals(kept.domain)) {
                ofDomain++;
                oldest = i;
            }
        }
        if (ofDomain >= MAX_OF_DOMAIN || cookies.size() >= MOST) {
            memory.resize(cookies.remove(ofDomain >= MAX_OF_DOMAIN ? oldest : 0).bytes(), 0);
        }
        return memory.resize(0, kept.bytes()) && cookies.add(kept);
    }

    private void dropEnded() {
        long now = clock.nanoTime();
        removeIf(each -> !each.lasts && each.endNanos - now <= 0);
    }

    /**
     * Returns the value of the field {@code Cookie} of a request.
     *
     * @param path with the query
     * @return {@code null}: it has none
     */
    @Nullable
    String of(HttpTarget to, String path) {
        if (cookies.isEmpty()) {
            return null;
        }
        dropEnded();
        String host = lower(to.server().host());
        String plain = withoutQuery(path);
        List<Kept> sent = new ArrayList<>();
        for (Kept each : cookies) {
            boolean ofHost = each.hostOnly ? host.equals(each.domain) : isWithin(host, each.domain);
            if (ofHost && isUnder(plain, each.path) && (!each.secure || to.tls())) {
                sent.add(each);
            }
        }
        // Those of one length stay in the order in which they were set.
        sent.sort(LONGER_PATHS_FIRST);
        List<Cookie> all = new ArrayList<>(sent.size());
        for (Kept each : sent) {
            all.add(each.cookie);
        }
        return all.isEmpty() ? null : ClientCookieEncoder.LAX.encode(all);
    }

    /** Counts those that have not ended. */
    int size() {
        dropEnded();
        return cookies.size();
    }

    // ---- rules of RFC 6265, section 5.1 ----

    private static boolean isWithin(String host, String domain) {
        return host.equals(domain) || host.endsWith("." + domain) && !isAddress(host);
    }

    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.matches("[0-9.]+");
    }

    private static boolean isOneLabelOrAddress(String domain) {
        return domain.indexOf('.') < 0 || isAddress(domain);
    }

    private static boolean isUnder(String path, String of) {
        return path.startsWith(of)
                && (path.length() == of.length() || of.endsWith("/") || path.charAt(of.length()) == '/');
    }

    /** Returns the path of a cookie that names none. */
    private static String folder(String path) {
        String plain = withoutQuery(path);
        int last = plain.lastIndexOf('/');
        return last <= 0 ? "/" : plain.substring(0, last);
    }

    private static String withoutQuery(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
