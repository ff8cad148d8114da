package org.diperf.plugins.weather;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers what is asked of a memory. Thread-safe. */
final class Memory implements Host.Service {

    static final int PORT = 8050;

    private final SeriesStore store;

    Memory(SeriesStore store) {
        this.store = store;
    }

    @Override
    public @Nullable Message answer(Message request, Link link) throws IOException {
        return switch (request.type()) {
            case Message.STORE_STATE -> {
                State state = State.read(request.data());
                yield Message.of(
                        stored(state, state.records(request.data())) ? Message.STATE_STORED : Message.MEMORY_FAILED);
            }
            case Message.FETCH_STATE -> {
                State state = State.read(request.data());
                double above = state.sequence() == 0 ? Double.NEGATIVE_INFINITY : state.sequence();
                List<String> records = store.fetch(state.series(), above, state.records());
                yield records == null
                        ? Message.of(Message.MEMORY_FAILED)
                        : new Message(Message.STATE_FETCHED, State.write(state.series(), state.sequence(), records));
            }
            default -> null;
        };
    }

    private boolean stored(State state, List<String> records) throws IOException {
        try {
            return store.store(state.series(), state.sequence(), records);
        } catch (IOException e) {
            // The disk is full, or gone: the sensor hears that its records are not kept.
            return false;
        }
    }

    /** Fetches the latest records of a series from a memory, the oldest first. */
    static List<Measurement> fetch(InetSocketAddress memory, String series, int most) throws IOException {
        Message answer = Link.ask(memory, new Message(Message.FETCH_STATE, State.request(series, most)), Host.PATIENCE);
        if (answer.type() != Message.STATE_FETCHED) {
            throw new IOException("expected a series that this memory keeps, got '" + series + "'");
        }
        State state;
        List<String> records;
        try {
            state = State.read(answer.data());
            records = state.records(answer.data());
        } catch (IllegalArgumentException e) {
            throw new IOException("memory " + memory + ": " + e.getMessage(), e);
        }
        List<Measurement> all = new ArrayList<>();
        for (String each : records) {
            all.add(Measurement.read(each));
        }
        Collections.reverse(all);
        return all;
    }
}
