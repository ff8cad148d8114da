package org.diperf.plugins.emulated;

import java.util.ArrayList;
import java.util.List;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Topology;

/** What the links are, after the changes that have been made. Thread-safe. */
final class LinkStates {

    private final Topology topology;
    private final List<State> states = new ArrayList<>();
    private Runnable listener = () -> {};

    /**
     * A physical link in one direction.
     *
     * @param isUp whether packets get through
     */
    record State(Topology.Pipe pipe, Direction direction, boolean isUp) {}

    LinkStates(Topology topology) {
        this.topology = topology;
        for (Topology.Pipe pipe : topology.pipes()) {
            List<Direction> members =
                    pipe.isBack() ? pipe.link().back() : pipe.link().there();
            states.add(new State(pipe, members.get(pipe.member()), true));
        }
    }

    /** Takes note of a change that has been made. */
    synchronized void changed(Change change) {
        for (Change.Part part : change.parts()) {
            Link link = topology.links().get(part.step().link());
            states.replaceAll(state -> state.pipe().link().equals(link)
                            && state.pipe().isBack() == part.step().isBack()
                    ? new State(state.pipe(), part.members().get(state.pipe().member()), !part.isDown())
                    : state);
        }
        listener.run();
    }

    /** Has somebody told of each change, who must not wait for anything. */
    synchronized void listen(Runnable whenChanged) {
        listener = whenChanged;
    }

    /** Returns all, in the order of {@link Topology#pipes}. */
    synchronized List<State> now() {
        return List.copyOf(states);
    }
}
