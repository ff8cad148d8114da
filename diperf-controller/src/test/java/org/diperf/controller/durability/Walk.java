package org.diperf.controller.durability;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.controller.durability.Order.Step;
import org.jspecify.annotations.Nullable;

/**
 * Walks all that can happen to a run of two testers with a few blocks each, whose controller keeps an order: in any state
 * any of its parts may take its next step, and the controller may be killed, the disk be full or have room again, a
 * connection be cut, and the run be resumed. That the machine fails is asked in each state. Breadth first, so that the way
 * to a loss is as short as can be.
 */
final class Walk {

    private static final int RECEIVED = Keeping.CELLS;
    private static final int ACK = RECEIVED + 2;
    private static final int BYE = ACK + 2;
    private static final int CONTROLLER = BYE + 2;
    private static final int STARTING = CONTROLLER + 1;
    private static final int COMMITTING = STARTING + 1;
    private static final int BATCH = COMMITTING + 1;
    private static final int ENDING = BATCH + 2;
    private static final int FAILED = ENDING + 1;
    private static final int FULL = FAILED + 1;
    private static final int RESUMED = FULL + 1;
    private static final int KILLS = RESUMED + 1;
    private static final int FILLS = KILLS + 1;
    private static final int CUTS = FILLS + 1;
    private static final int CELLS = CUTS + 1;

    private static final byte UP = 0;
    private static final byte GONE = 1;
    private static final byte OVER = 2;

    private final Order order;
    private final int[] blocks;
    private final int kills;
    private final int fills;
    private final int cuts;
    private final Map<State, Origin> seen = new HashMap<>();
    private final ArrayDeque<State> open = new ArrayDeque<>();

    private record State(byte[] cells) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof State state && Arrays.equals(cells, state.cells);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(cells);
        }
    }

    private record Origin(@Nullable State from, String by) {}

    /**
     * A loss, and how it came to it.
     *
     * @param what in words
     * @param way what happened, in order
     */
    record Loss(String what, List<String> way) {
        @Override
        public String toString() {
            return what + ": " + String.join(", ", way);
        }
    }

    /**
     * @param blocks that each tester makes
     * @param kills most of the controller
     * @param fills how often the disk may be full
     * @param cuts most of a connection
     */
    Walk(Order order, int[] blocks, int kills, int fills, int cuts) {
        this.order = order;
        this.blocks = blocks.clone();
        this.kills = kills;
        this.fills = fills;
        this.cuts = cuts;
    }

    /** Counts the states that were seen. */
    int states() {
        return seen.size();
    }

    /** Looks for a loss; {@code null}: there is none. */
    @Nullable
    Loss loss() {
        State first = new State(Keeping.cells(CELLS - Keeping.CELLS));
        seen.put(first, new Origin(null, "begin"));
        open.add(first);
        for (State state = open.poll(); state != null; state = open.poll()) {
            String lost = new Keeping(state.cells).loss();
            if (lost != null) {
                return new Loss(lost, way(state));
            }
            stepTesters(state);
            stepController(state);
            stepWorld(state);
        }
        return null;
    }

    private List<String> way(State to) {
        List<String> way = new ArrayList<>();
        Origin origin = seen.get(to);
        while (origin != null && origin.from != null) {
            way.add(origin.by);
            origin = seen.get(origin.from);
        }
        Collections.reverse(way);
        return way;
    }

    /** What changes a copy of a state. */
    private interface Change {
        void apply(byte[] cells, Keeping keeping);
    }

    private void to(State from, String by, Change change) {
        byte[] cells = from.cells.clone();
        change.apply(cells, new Keeping(cells));
        State next = new State(cells);
        if (seen.putIfAbsent(next, new Origin(from, by)) == null) {
            open.add(next);
        }
    }

    private boolean isStarted(byte[] cells) {
        return cells[STARTING] == order.start().size();
    }

    private void stepTesters(State state) {
        byte[] now = state.cells;
        Keeping keeping = new Keeping(now);
        for (int t = 0; t < Keeping.TESTERS; t++) {
            int tester = t;
            String name = " " + (tester + 1);
            boolean isThere = !keeping.isReleased(tester);
            if (isThere && isStarted(now) && keeping.made(tester) < blocks[tester]) {
                to(state, "make" + name, (cells, next) -> next.made(tester, next.made(tester) + 1));
            }
            if (isThere && now[CONTROLLER] == UP && now[FAILED] == 0 && now[RECEIVED + tester] < keeping.made(tester)) {
                to(state, "receive" + name, (cells, next) -> cells[RECEIVED + tester]++);
            }
            if (now[ACK + tester] > 0) {
                to(state, "acknowledged" + name, (cells, next) -> {
                    next.forgets(tester, cells[ACK + tester]);
                    cells[ACK + tester] = 0;
                });
                if (now[CUTS] < cuts) {
                    to(state, "cut" + name, (cells, next) -> {
                        cells[ACK + tester] = 0;
                        cells[CUTS]++;
                    });
                }
            }
            if (now[BYE + tester] > 0) {
                to(state, "bye" + name, (cells, next) -> {
                    next.released(tester);
                    cells[BYE + tester] = 0;
                });
            }
        }
    }

    private void stepWorld(State state) {
        byte[] now = state.cells;
        Keeping keeping = new Keeping(now);
        if (now[FULL] == 0 && now[FILLS] < fills) {
            to(state, "FULL", (cells, next) -> {
                cells[FULL] = 1;
                cells[FILLS]++;
            });
        } else if (now[FULL] != 0) {
            to(state, "ROOM", (cells, next) -> cells[FULL] = 0);
        }
        if (now[CONTROLLER] == UP && now[KILLS] < kills) {
            to(state, "KILL", (cells, next) -> {
                cells[KILLS]++;
                cells[CONTROLLER] = GONE;
            });
        }
        if (now[CONTROLLER] == GONE && keeping.hasControl() && keeping.record() == 1 && isStarted(now)) {
            to(state, "RESUME", this::resume);
        } else if (now[CONTROLLER] == GONE && keeping.record() == 2) {
            to(state, "RESUME what has ended", (cells, next) -> {
                cells[CONTROLLER] = OVER;
                next.controlDeleted();
            });
        }
    }

    /** Takes what is in the files for received, and forces them. */
    private void resume(byte[] cells, Keeping next) {
        next.clockDurable();
        cells[CONTROLLER] = UP;
        cells[RESUMED] = 1;
        cells[COMMITTING] = 0;
        cells[ENDING] = 0;
        cells[FAILED] = 0;
        for (int tester = 0; tester < Keeping.TESTERS; tester++) {
            cells[RECEIVED + tester] = (byte) next.cached(tester);
            next.durable(tester, next.cached(tester));
        }
    }

    private void stepController(State state) {
        byte[] now = state.cells;
        Keeping keeping = new Keeping(now);
        if (now[CONTROLLER] != UP) {
            return;
        }
        if (!isStarted(now)) {
            Step step = order.start().get(now[STARTING]);
            boolean isCutShort = step == Step.WRITE_RECORD && now[FULL] != 0;
            if (!isCutShort) {
                to(state, step.name(), (cells, next) -> {
                    cells[STARTING]++;
                    take(step, cells, next);
                });
            }
            return;
        }
        boolean hasWork = now[COMMITTING] > 0;
        boolean allMade = true;
        boolean allDurable = now[COMMITTING] == 0;
        for (int tester = 0; tester < Keeping.TESTERS; tester++) {
            hasWork |= now[RECEIVED + tester] > keeping.cached(tester);
            allMade &= keeping.made(tester) == blocks[tester] && now[RECEIVED + tester] == blocks[tester];
            allDurable &= now[RECEIVED + tester] <= keeping.cached(tester);
        }
        if (hasWork && now[FAILED] == 0) {
            commit(state);
        }
        if (now[ENDING] > 0 || allMade || now[FAILED] != 0) {
            end(state, allDurable);
        }
    }

    /** Takes the next step of a commit, which fails where the disk is full; forcing something may fail then too. */
    private void commit(State state) {
        Step step = order.commit().get(state.cells[COMMITTING]);
        boolean isFull = state.cells[FULL] != 0;
        boolean needsRoom = step == Step.APPEND || step == Step.WRITE_CLOCK;
        if (isFull && step != Step.ACKNOWLEDGE) {
            to(state, step.name() + " fails", (cells, next) -> {
                cells[FAILED] = 1;
                cells[COMMITTING] = 0;
                for (int tester = 0; tester < Keeping.TESTERS; tester++) {
                    next.cached(tester, next.durable(tester));
                }
            });
        }
        if (!isFull || !needsRoom) {
            to(state, step.name(), (cells, next) -> {
                if (cells[COMMITTING] == 0) {
                    cells[BATCH] = cells[RECEIVED];
                    cells[BATCH + 1] = cells[RECEIVED + 1];
                }
                cells[COMMITTING] =
                        (byte) ((cells[COMMITTING] + 1) % order.commit().size());
                take(step, cells, next);
            });
        }
    }

    private void end(State state, boolean allDurable) {
        byte[] now = state.cells;
        Step step = (now[RESUMED] != 0 ? order.resumedEnd() : order.end()).get(now[ENDING]);
        boolean failed = now[FAILED] != 0;
        boolean isWaiting = step == Step.AWAIT || step == Step.AWAIT_OR_WARN;
        if (isWaiting && !failed && !allDurable) {
            return;
        }
        boolean leaves =
                failed && (step == Step.LOOK || step == Step.AWAIT) || step == Step.WRITE_LAST && now[FULL] != 0;
        boolean givesUp = step == Step.WRITE_LAST_OR_END && now[FULL] != 0;
        to(state, step.name() + (leaves ? " leaves" : givesUp ? " gives up" : ""), (cells, next) -> {
            if (leaves) {
                cells[CONTROLLER] = GONE;
            } else if (givesUp) {
                cells[CONTROLLER] = OVER;
                next.controlDeleted();
            } else {
                cells[ENDING]++;
                take(step, cells, next);
            }
        });
    }

    private static void take(Step step, byte[] cells, Keeping next) {
        switch (step) {
            case NAME_SAMPLES -> next.samplesNamed();
            case WRITE_RECORD -> next.recorded(false);
            case WRITE_LAST, WRITE_LAST_OR_END -> next.recorded(true);
            case SYNC_RECORD -> next.recordDurable();
            case SYNC_CLOCK -> next.clockDurable();
            case DELETE_CONTROL -> {
                next.controlDeleted();
                cells[CONTROLLER] = OVER;
            }
            case APPEND, WRITE_CLOCK, SYNC_SAMPLES, ACKNOWLEDGE, BYE -> {
                for (int tester = 0; tester < Keeping.TESTERS; tester++) {
                    take(step, tester, cells, next);
                }
            }
            case START, LOOK, AWAIT, AWAIT_OR_WARN -> {
                // Only its place counts.
            }
        }
    }

    private static void take(Step step, int tester, byte[] cells, Keeping next) {
        switch (step) {
            case APPEND -> next.cached(tester, cells[BATCH + tester]);
            case WRITE_CLOCK -> next.clockCached(tester);
            case SYNC_SAMPLES -> next.durable(tester, next.cached(tester));
            case ACKNOWLEDGE -> cells[ACK + tester] = cells[BATCH + tester];
            case BYE -> cells[BYE + tester] = 1;
            default -> throw new IllegalArgumentException(step.name());
        }
    }
}
