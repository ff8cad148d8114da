package org.diperf.plugins.weather;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Answers what is asked of a name server. Thread-safe. */
final class NameServer implements Host.Service {

    static final int PORT = 8090;

    private final Registry registry;

    NameServer(Registry registry) {
        this.registry = registry;
    }

    @Override
    public @Nullable Message answer(Message request, Link link) {
        return switch (request.type()) {
            case Message.NS_REGISTER ->
                Message.of(register(request.data()) ? Message.NS_REGISTERED : Message.NS_FAILED);
            case Message.NS_SEARCH -> search(request.text());
            case Message.NS_UNREGISTER -> {
                registry.unregister(Filter.read(request.text()));
                yield Message.of(Message.NS_UNREGISTERED);
            }
            default -> null;
        };
    }

    private boolean register(byte[] data) {
        int length = data.length - Integer.BYTES;
        if (length < 1) {
            throw new IllegalArgumentException("expected an object and its time, got " + data.length + " bytes");
        }
        long seconds = Integer.toUnsignedLong(
                ByteBuffer.wrap(data, length, Integer.BYTES).getInt());
        return registry.register(Attributes.read(Message.text(data, 0, length)), seconds);
    }

    private Message search(String filter) {
        try {
            return Message.of(Message.NS_SEARCHED, registry.search(Filter.read(filter)));
        } catch (IllegalArgumentException e) {
            return Message.of(Message.NS_FAILED);
        }
    }
}
