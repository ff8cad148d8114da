package org.diperf.tester.engine;

import org.diperf.core.spi.AsyncClient;
import org.jspecify.annotations.Nullable;

/** One asynchronous client and its slots. Confined to its loop. */
final class ClientCell {

    private final int place;
    private final int client;
    private final @Nullable AsyncClient opened;
    private final @Nullable String failure;
    private CallSlot[] slots = new CallSlot[0];

    /** Calls begun by this client over the whole run. */
    long calls;

    /** Calls begun by this client in the stage at hand. */
    long stageCalls;

    /** Slots that count as active in closed load. */
    int activeSlots;

    /** Whether another client took its place. */
    boolean abandoned;

    /**
     * @param place among the tester's clients
     * @param client number in the whole run
     * @param opened the plugin's client, {@code null} when it could not be made
     * @param failure why it cannot be used, {@code null} when it can
     */
    ClientCell(int place, int client, @Nullable AsyncClient opened, @Nullable String failure) {
        this.place = place;
        this.client = client;
        this.opened = opened;
        this.failure = failure;
    }

    void slots(CallLoop loop, RunSetup setup, int count) {
        CallSlot[] made = new CallSlot[count];
        for (int i = 0; i < count; i++) {
            made[i] = new CallSlot(loop, this, setup);
        }
        slots = made;
    }

    int place() {
        return place;
    }

    int client() {
        return client;
    }

    CallSlot[] slots() {
        return slots;
    }

    @Nullable
    String failure() {
        return failure;
    }

    /** Gives the client, {@code null} when none could be made. */
    @Nullable
    AsyncClient opened() {
        return opened;
    }
}
