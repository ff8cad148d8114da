package org.diperf.plugins.mds;

import java.util.Arrays;
import java.util.Locale;
import org.diperf.core.spi.Parameters;

/** What a call is. */
enum Operation {
    /** One query. */
    QUERY,
    /** A subscription, which is ended again. */
    SUBSCRIBE,
    /** A notification to the service, as a source of an aggregator sends it. */
    PUBLISH,
    /** The same, and the wait for the notification that it leads to. */
    NOTIFY;

    static Operation of(Parameters with) {
        return with.has("operation") ? valueOf(with.string("operation").toUpperCase(Locale.ROOT)) : QUERY;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static String[] texts() {
        return Arrays.stream(values()).map(Operation::text).toArray(String[]::new);
    }

    /** Returns whether the service is to tell this side something. */
    boolean subscribes() {
        return this == SUBSCRIBE || this == NOTIFY;
    }

    boolean publishes() {
        return this == PUBLISH || this == NOTIFY;
    }
}
