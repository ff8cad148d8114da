package org.diperf.tester.engine.loop;

import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.spi.AsyncClient;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.diperf.tester.engine.call.RunSetup;
import org.jspecify.annotations.Nullable;

/** One client and its slots. Confined to its loop. */
public final class ClientState {

    /** What the clients of a place have done one after another over the whole run; a later one has the same object. */
    public static final class Numbers {

        /** Iterations that have come to their planned call. */
        long calls;

        /** Journeys begun. */
        public long journeys;

        /** Calls begun on journeys. */
        public long walked;
    }

    private final int place;
    private final int client;
    private final int index;
    private final @Nullable AsyncClient opened;
    private final TimerHeap.Due renewal;
    private final TimerHeap.Due closeLimit;
    private @Nullable String failure;
    private CallSlot[] slots = new CallSlot[0];
    private final ReceiveTimes.Client looked;
    private boolean answersAlone;
    private long quotaCalls = Long.MAX_VALUE;
    private long quotaBytes = Long.MAX_VALUE;

    /** Those of its place, of which a client before it that is still on its way takes too. */
    public Numbers numbers = new Numbers();

    /** How many of the steps before its first call it has done. */
    int stepsDone;

    /** Number of the last stage that a client of this place was in, -1 before the first. */
    public int stage = -1;

    /** Iterations that have come to their planned call in the current stage. */
    public long stageCalls;

    /** Bytes of those of them that have ended. */
    long stageBytes;

    /** Whether the client may still begin calls in the closed stage at hand. */
    public boolean living;

    /** Whether the client begins no more calls in the whole run. */
    public boolean retired;

    /** Slots that count as active in closed load. */
    int activeSlots;

    /** Whether another client took its place because a call never ended. */
    boolean abandoned;

    /** Whether the client has begun an iteration. */
    public boolean lived;

    /** Whether the client's life in the load is over, so that it is closed when its last call has ended. */
    public boolean released;

    /** Whether the client is closed, or told to close. */
    boolean closed;

    /**
     * @param place among the tester's clients
     * @param client number in the whole run
     * @param index its number among the clients of the plan's loads
     * @param opened the plugin's client, {@code null} when it could not be made
     * @param failure why it cannot be used, {@code null} when it can
     * @param looked what its connections were opened with
     */
    ClientState(
            CallLoop loop,
            int place,
            int client,
            int index,
            @Nullable AsyncClient opened,
            @Nullable String failure,
            ReceiveTimes.Client looked) {
        this.looked = looked;
        this.place = place;
        this.client = client;
        this.index = index;
        this.opened = opened;
        this.failure = failure;
        this.renewal = new TimerHeap.Due(false, nowNanos -> loop.clients().renewNow(this));
        this.closeLimit = new TimerHeap.Due(false, nowNanos -> loop.clients().closeLimitPassed(this));
    }

    public void slots(CallLoop loop, RunSetup setup, int count) {
        CallSlot[] made = new CallSlot[count];
        for (int i = 0; i < count; i++) {
            made[i] = new CallSlot(loop, this, setup);
        }
        slots = made;
        answersAlone = opened != null && !opened.sharesConnection();
    }

    /** Sets the one slot of a client that makes one call at a time. */
    public void slots(CallSlot only) {
        slots = new CallSlot[] {only};
    }

    /**
     * Begins to count for another stage.
     *
     * @param load whose quota the client has a share of, {@code null} for none
     */
    public void enter(Stage next, @Nullable ClosedLoad load) {
        stage = next.number();
        stageCalls = 0;
        stageBytes = 0;
        quotaCalls = load == null ? Long.MAX_VALUE : load.quota().callsOf(index, load.clients());
        quotaBytes = load == null ? Long.MAX_VALUE : load.quota().bytesOf(index, load.clients());
    }

    /** Numbers iterations and calls together with the client in whose place this one was opened. */
    void numberFrom(ClientState old) {
        numbers = old.numbers;
        stage = old.stage;
    }

    /** Resumes counting where the client stood in whose place this one was opened. */
    public void takeOver(ClientState old) {
        lived = old.lived;
        stage = old.stage;
        stageCalls = old.stageCalls;
        stageBytes = old.stageBytes;
        quotaCalls = old.quotaCalls;
        quotaBytes = old.quotaBytes;
        living = old.living;
    }

    /** Returns whether the client has used up its share of the quota. */
    public boolean isSpent() {
        return stageCalls >= quotaCalls || stageBytes >= quotaBytes;
    }

    /** Returns whether all its slots are lost to calls that never end. */
    boolean isDead() {
        for (CallSlot slot : slots) {
            if (!slot.dead) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether an iteration holds one of its slots. */
    boolean isBusy() {
        for (CallSlot slot : slots) {
            if (slot.busy) {
                return true;
            }
        }
        return false;
    }

    public int place() {
        return place;
    }

    public int client() {
        return client;
    }

    /** Returns its number among the clients of the plan's loads. */
    public int index() {
        return index;
    }

    public CallSlot[] slots() {
        return slots;
    }

    ReceiveTimes.Client looked() {
        return looked;
    }

    /** Returns whether each of its answers comes over a connection that has no other call's at that time. */
    boolean answersAlone() {
        return answersAlone;
    }

    /** Returns why the client cannot be used, {@code null} when it can. */
    @Nullable
    public String failure() {
        return failure;
    }

    /** Notes that the client cannot be used. */
    void fail(String reason) {
        failure = reason;
    }

    /** When another client is opened at its place. */
    TimerHeap.Due renewal() {
        return renewal;
    }

    /** When its closing has taken too long. */
    TimerHeap.Due closeLimit() {
        return closeLimit;
    }

    /** Returns the client, {@code null} when none could be made. */
    @Nullable
    AsyncClient opened() {
        return opened;
    }
}
