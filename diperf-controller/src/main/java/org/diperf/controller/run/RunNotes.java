package org.diperf.controller.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.Event;
import org.jspecify.annotations.Nullable;

/** What happened in a run and when, for its log and its report. Thread-safe. */
final class RunNotes {

    private static final int MAX_EVENTS = 1_000;

    private final NanoClock clock;
    private final UnaryOperator<String> mask;
    private final long createdNanos;
    private final Instant createdAt = Instant.now();
    /** With instants of the controller's clock. */
    private final List<Event> events = new ArrayList<>();

    private volatile long startNanos;
    private volatile @Nullable String startedAt;
    private volatile @Nullable RunDirectory directory;

    /** @param mask hides what must not be noted */
    RunNotes(NanoClock clock, UnaryOperator<String> mask) {
        this.mask = mask;
        this.clock = clock;
        this.createdNanos = clock.nanoTime();
        this.startNanos = createdNanos;
    }

    /** Hides what must not be noted. */
    String masked(String text) {
        return mask.apply(text);
    }

    /** Goes on with the notes of a run that had begun. */
    RunNotes(NanoClock clock, UnaryOperator<String> mask, RunRecord before) {
        this(clock, mask);
        startNanos = before.startNanos();
        startedAt = before.startedAt();
        before.events().forEach(event -> events.add(new Event(event.atNanos() + startNanos, event.text())));
    }

    /** Writes what is noted from now on to the log of a run directory; {@code null}: to none. */
    void writeTo(@Nullable RunDirectory opened) {
        directory = opened;
    }

    /** Notes the start of the load, from which on time counts. */
    void begin(long atNanos) {
        startNanos = atNanos;
        startedAt = createdAt.plusNanos(atNanos - createdNanos).toString();
    }

    long startNanos() {
        return startNanos;
    }

    /** Gives the wall clock's time at the start of the load; {@code null} before it. */
    @Nullable
    String startedAt() {
        return startedAt;
    }

    /** Gives the time since the start of the load. */
    long elapsedNanos() {
        return clock.nanoTime() - startNanos;
    }

    /** Writes to the log and remembers for the report. */
    void note(String text) {
        String line = mask.apply(text);
        long now = clock.nanoTime();
        synchronized (events) {
            if (events.size() < MAX_EVENTS) {
                events.add(new Event(now, line));
            }
        }
        RunDirectory run = directory;
        if (run != null) {
            run.log(createdAt.plusNanos(now - createdNanos), line);
        }
    }

    /** Gives the events on the time that begins with the load; until then it was not known. */
    List<Event> events() {
        synchronized (events) {
            return events.stream()
                    .map(event -> new Event(event.atNanos() - startNanos, event.text()))
                    .toList();
        }
    }
}
