package org.diperf.plugins.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.FailedCallException;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

/** The header fields that the experiment itself gives a request, whatever the version of HTTP. Immutable. */
final class RequestHeaders {

    private static final String COOKIE = "Cookie";

    /** What a server that is not the one that was called must not see. */
    private static final Set<String> OF_ORIGIN = Set.of("authorization", "proxy-authorization", "cookie", "host");

    private final Map<String, Text> fields;
    /** Cookies that the experiment itself sends, where there are others too. */
    private final @Nullable Text cookies;

    /** @param jar whether the client's cookies go with the request, and how long these last */
    RequestHeaders(Parameters with, Exchange.Cookies jar) {
        fields = new LinkedHashMap<>(with.textMap("headers"));
        cookies = jar == Exchange.Cookies.NONE ? null : takeCookies();
    }

    private @Nullable Text takeCookies() {
        for (String name : List.copyOf(fields.keySet())) {
            if (name.equalsIgnoreCase(COOKIE)) {
                return fields.remove(name);
            }
        }
        return null;
    }

    /** Returns the value of a field, in whatever case its name is; {@code null}: it is not among them. */
    @Nullable
    Text of(String name) {
        for (Map.Entry<String, Text> field : fields.entrySet()) {
            if (field.getKey().equalsIgnoreCase(name)) {
                return field.getValue();
            }
        }
        return null;
    }

    /** Returns whether a field is left to be what it usually is. */
    boolean isFree(String name) {
        return of(name) == null;
    }

    /**
     * Tells those that go with a request, in their order.
     *
     * @param withBody whether it carries the body
     * @param crossed whether its server is another than the one that was called, which must not see credentials
     */
    void tell(boolean withBody, boolean crossed, BiConsumer<String, Text> to) {
        fields.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if ((withBody || !lower.startsWith("content-")) && !(crossed && OF_ORIGIN.contains(lower))) {
                to.accept(name, value);
            }
        });
    }

    /**
     * Joins the cookies of a request.
     *
     * @param jar those of the client that are for its server; {@code null}: none
     * @param crossed whether its server is another than the one that was called
     * @return {@code null}: it has none
     */
    @Nullable
    String cookies(@Nullable String jar, Call call, boolean crossed) {
        Text own = cookies;
        String given = own == null || crossed || !own.isKnown(call) ? "" : own.of(call);
        String all = jar == null ? given : given.isEmpty() ? jar : jar + "; " + given;
        return all.isEmpty() ? null : line(COOKIE, all);
    }

    /** Returns the failure of a call whose request cannot be made of its texts, so that nothing is sent: none of the service's. */
    static FailedCallException unusable(IllegalArgumentException why) {
        return new FailedCallException(Failure.ofExperiment(String.valueOf(why.getMessage())), why);
    }

    /**
     * Returns a value.
     *
     * @throws IllegalArgumentException when it is more than a line
     */
    static String line(String name, String value) {
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("header '" + name + "': the value has a line break");
        }
        return value;
    }
}
