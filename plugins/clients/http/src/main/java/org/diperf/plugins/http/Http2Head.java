package org.diperf.plugins.http;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.http2.RequestHead;
import org.jspecify.annotations.Nullable;

/** The head of a request of HTTP/2, and what fills in the fields that change from call to call. Immutable. */
final class Http2Head {

    /**
     * What changes from call to call.
     *
     * @param call the call
     * @param path with the query, before it is escaped
     * @param authority host and port
     * @param bodyBytes size of the body
     * @param authorization who asks by the target's URL; {@code null}: nobody
     * @param jar the client's cookies for the server; {@code null}: none
     */
    record Given(
            Call call,
            String path,
            String authority,
            int bodyBytes,
            @Nullable String authorization,
            @Nullable String jar) {}

    /** Gives the value of a field; {@code null} leaves it out. */
    interface Value {
        @Nullable
        String of(Given given);
    }

    /** Collects the fields in their order. */
    static final class Builder {

        private final RequestHead.Builder head;
        private final List<Value> values = new ArrayList<>();

        Builder(RequestHead.Family family) {
            head = family.head();
        }

        /** Adds a field that never changes. */
        Builder fixed(String name, String value) {
            head.fixed(name, value);
            return this;
        }

        /** Adds a field that changes. */
        Builder varying(String name, Value value) {
            head.varying(name);
            values.add(value);
            return this;
        }

        /** Adds a field of the experiment, unless HTTP/2 does not have it. */
        void own(String name, Text value) {
            if (!RequestHead.Builder.allows(name)) {
                return;
            }
            if (value.isConstant()) {
                fixed(name, RequestHeaders.line(name, value.fixed()));
            } else {
                // Such as the credential that a log-in is to bring: an empty one would go with the log-in itself.
                varying(name, given -> {
                    Call call = given.call();
                    return value.isKnown(call) ? RequestHeaders.line(name, value.of(call)) : null;
                });
            }
        }

        /** Makes the head. */
        Http2Head build() {
            return new Http2Head(head.build(), List.copyOf(values));
        }
    }

    private final RequestHead head;
    private final List<Value> values;
    private final @Nullable RequestHead same;

    private Http2Head(RequestHead head, List<Value> values) {
        this.head = head;
        this.values = values;
        this.same = values.isEmpty() ? head : null;
    }

    /** Returns the head that is the same for every call; {@code null}: something of it changes. */
    @Nullable
    RequestHead same() {
        return same;
    }

    /** Returns the head of a request. */
    RequestHead of(Given given) {
        @Nullable String[] filled = new String[values.size()];
        for (int i = 0; i < filled.length; i++) {
            filled[i] = values.get(i).of(given);
        }
        return head.with(filled);
    }
}
