package org.diperf.tester.engine.loop;

import java.util.Iterator;
import java.util.List;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;

/** Opens the connections that a loop's share of a first stage needs, before the start. Confined to the loop. */
final class FirstConnections {

    /** The first ones come one after another, because they show how far away the service is, and a JVM takes longest for its first. */
    private static final int ALONE = 3;

    private final CallLoop loop;
    private final Stage stage;
    private final Iterator<CallSlot> slots;
    private final Runnable then;
    private int begun;
    private boolean told;

    FirstConnections(CallLoop loop, Stage stage, Runnable then) {
        this.loop = loop;
        this.stage = stage;
        this.slots = loop.clients().cells().stream()
                .flatMap(cell -> List.of(cell.slots()).stream())
                .filter(slot -> !slot.connected)
                .iterator();
        this.then = then;
    }

    /** Begins what may be under way at a time; to be called again when one has ended. */
    void proceed() {
        if (told) {
            return;
        }
        if (stage.load() instanceof OpenLoad load) {
            while (begun < loop.firstConnections(load) && loop.connecting() < atATime(load) && slots.hasNext()) {
                begun++;
                loop.connect(slots.next(), stage, loop.deadlines().of(load));
            }
        }
        // One that ends at once has come here meanwhile.
        if (loop.connecting() == 0 && !told) {
            told = true;
            then.run();
        }
    }

    private int atATime(OpenLoad load) {
        return begun - loop.connecting() < ALONE ? 1 : loop.mostConnecting(load);
    }
}
