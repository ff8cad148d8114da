package org.diperf.controller.fleet;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Node;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;

/**
 * Starts testers in place of lost ones, on a thread of its own, which is the only one that uses the testbed while the load
 * is under way.
 */
public final class Replacements implements AutoCloseable {

    private static final long CLOSE_SECONDS = 30;

    private final Testbed testbed;
    private final Fleet fleet;
    private final Roster roster;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread made = new Thread(work, "diperf-controller-replacements");
        made.setDaemon(true);
        return made;
    });

    public Replacements(Testbed testbed, Fleet fleet, Roster roster) {
        this.testbed = testbed;
        this.fleet = fleet;
        this.roster = roster;
    }

    /** Begins to start a tester in place of another one; what goes wrong is told to the roster. */
    public void place(int tester, int lost) {
        thread.execute(() -> {
            try {
                List<Node> nodes = fleet.hasNodes() ? testbed.survey() : List.of();
                Set<Integer> gone = new HashSet<>(roster.lost());
                gone.addAll(roster.inPhase(Roster.Phase.UNUSABLE));
                Place place = fleet.replacement(tester, lost, nodes, gone);
                if (place == null) {
                    roster.unusable(tester, "no eligible node has room for it");
                } else {
                    testbed.start(List.of(place));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                roster.unusable(tester, "the run ended");
            } catch (Exception e) {
                roster.unusable(tester, String.valueOf(e.getMessage()));
            }
        });
    }

    /** Waits until the testbed is no longer used. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("A tester could not be started in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
