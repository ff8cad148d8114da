package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;

/** {@code load: {clients: 100, run-for: 10m}}: so many concurrent clients. */
final class ClosedLoadForm {

    private static final Key<Long> CLIENTS = Key.required(
            "clients", Scalar.whole("clients", 1, LoadForms.MAX_CLIENTS), "concurrent clients (virtual users)");
    private static final Key<Duration> START_EVERY = Key.withDefault(
            "start-every", Quantities.duration(false), Duration.ZERO, "time between client starts (the ramp)");
    private static final Key<Duration> RUN_FOR = Key.optional(
            "run-for", Quantities.duration(true), "run time of each client; optional if calls or bytes are limited");
    private static final Key<Duration> END_EVERY = Key.optional(
            "end-every",
            Quantities.duration(false),
            "time between client ends (the ramp-down); default: start-every, so all run for the same time; 0s: all "
                    + "end when the first one does");
    private static final Key<Long> CALLS = Key.optional(
            "calls",
            Scalar.whole("calls", 1, Long.MAX_VALUE / 2),
            "end the run after this many calls, divided evenly among the clients");
    private static final Key<Long> CALLS_PER_CLIENT = Key.optional(
            "calls-per-client",
            Scalar.whole("calls", 1, Long.MAX_VALUE / 2 / LoadForms.MAX_CLIENTS),
            "end each client after this many calls");
    private static final Key<Long> VOLUME = Key.optional(
            "volume", Quantities.size(), "end the run after this many bytes, divided evenly among the clients");

    private ClosedLoadForm() {}

    /** @param hints for names that belong to other loads: what to do about them */
    static Form<Integer, LoadForms.Offered> form(Map<String, String> hints) {
        List<Key<?>> keys =
                new ArrayList<>(List.of(CLIENTS, START_EVERY, RUN_FOR, END_EVERY, CALLS, CALLS_PER_CLIENT, VOLUME));
        keys.addAll(ThinkTimeKeys.ALL);
        keys.add(LoadForms.TIMEOUT);
        Form<Integer, LoadForms.Offered> form = LoadForms.form("a closed load", keys, (given, testers) -> load(given));
        return new Form<>(
                form.fields()
                        .needing(RUN_FOR.name(), CALLS.name(), CALLS_PER_CLIENT.name(), VOLUME.name())
                        .hinting(hints),
                form.maker());
    }

    private static @Nullable LoadSettings load(FormValues given) {
        long clients = given.get(CLIENTS);
        Duration startEvery = given.get(START_EVERY);
        Duration runFor = given.find(RUN_FOR);
        boolean tooLong = LoadForms.isTooLong(given, START_EVERY, startEvery, clients - 1);
        tooLong |= runFor != null && LoadForms.isTooLong(given, RUN_FOR, runFor, 1);
        Duration endEvery = given.getOr(END_EVERY, startEvery);
        tooLong |= given.has(END_EVERY) && LoadForms.isTooLong(given, END_EVERY, endEvery, clients - 1);
        Quota quota = quota(given, clients);
        ThinkTime think = ThinkTimeKeys.think(given);
        if (tooLong) {
            return null;
        }
        ClientLifetimes lives = new ClientLifetimes.Staggered(
                startEvery.toNanos(),
                runFor == null ? ClientLifetimes.UNBOUNDED : runFor.toNanos(),
                endEvery.toNanos());
        int last = (int) clients - 1;
        if (lives.endNanos(last) <= lives.startNanos(last)) {
            given.problem(
                    END_EVERY,
                    "expected the last client to end after its start at "
                            + Quantity.format(Duration.ofNanos(lives.startNanos(last)))
                            + ", got an end at "
                            + Quantity.format(Duration.ofNanos(lives.endNanos(last)))
                            + ": use a longer run-for or a shorter start-every");
        }
        return new LoadSettings.Single(new ClosedLoad(
                (int) clients, lives, think, quota, given.get(LoadForms.ON_FAILURE), LoadForms.timeoutNanos(given)));
    }

    private static Quota quota(FormValues given, long clients) {
        Long calls = given.find(CALLS);
        Long perClient = given.find(CALLS_PER_CLIENT);
        Long bytes = given.find(VOLUME);
        if (calls != null && perClient != null) {
            given.problem(CALLS_PER_CLIENT, "expected either 'calls' or 'calls-per-client', got both; drop one");
        }
        if (calls != null && calls < clients) {
            given.problem(
                    CALLS,
                    "expected at least as many calls as clients (" + clients + "), got " + calls
                            + "; a client without a call measures nothing: use fewer clients or more calls");
        }
        if (bytes != null && bytes < clients) {
            given.problem(VOLUME, "expected at least one byte for each of " + clients + " clients, got " + bytes);
        }
        return new Quota(
                calls != null ? calls : perClient != null ? perClient * clients : 0, bytes == null ? 0 : bytes);
    }
}
