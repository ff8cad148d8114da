package org.diperf.tester.engine.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.diperf.core.expression.Comparison;
import org.diperf.core.plan.Journey;
import org.diperf.core.plan.Journey.Move;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

/** A journey with its texts compiled. Immutable. */
public final class CompiledJourney {

    private final Journey journey;
    private final long seed;
    /** Of each move, where it has one. */
    private final List<@Nullable Text> texts = new ArrayList<>();

    private final List<@Nullable CompiledCheck> demands = new ArrayList<>();
    private final @Nullable JavaJourneyCode coded;
    private int[] files = {};

    /** @param seed of the experiment */
    CompiledJourney(Journey journey, long seed, Names names) {
        this(journey, seed, names, null);
    }

    /**
     * @param seed of the experiment
     * @param coded its class, of a journey in Java
     */
    CompiledJourney(Journey journey, long seed, Names names, @Nullable JavaJourneyCode coded) {
        this.coded = coded;
        this.journey = journey;
        this.seed = seed;
        for (int i = 0; i < journey.moves().size(); i++) {
            // Random values at the same place of two texts shall not be the same ones.
            long own = seed + (i + 1) * 0xA0761D6478BD642FL;
            Text text = null;
            CompiledCheck demand = null;
            if (journey.moves().get(i) instanceof Move.When when) {
                Comparison.Condition condition = Comparison.condition(when.condition());
                text = Text.parse(condition.left(), own, names);
                demand = CompiledCheck.of(condition.comparison(), own + 1, names);
            } else if (journey.moves().get(i) instanceof Move.Set set) {
                text = Text.parse(set.value(), own, names);
            }
            texts.add(text);
            demands.add(demand);
        }
    }

    /** Sets of which data files an iteration takes a row. */
    void takes(int[] ofFiles) {
        files = ofFiles;
    }

    /** Lists of which data files an iteration takes a row. */
    int[] files() {
        return files;
    }

    /** Returns its class; {@code null}: it is no journey in Java. */
    @Nullable
    public JavaJourneyCode coded() {
        return coded;
    }

    public Journey journey() {
        return journey;
    }

    public long seed() {
        return seed;
    }

    /** Lists the values that its own texts use. */
    Set<String> values() {
        Set<String> values = new TreeSet<>();
        texts.stream().filter(text -> text != null).forEach(text -> values.addAll(text.values()));
        demands.stream()
                .filter(demand -> demand != null)
                .forEach(demand -> values.addAll(demand.right().values()));
        return values;
    }

    /** Returns whether the condition at a place holds. */
    public boolean holds(int place, Call call) {
        Text left = texts.get(place);
        CompiledCheck demand = demands.get(place);
        return left != null && demand != null && demand.holds(left.of(call), call);
    }

    /** Returns the value that the move at a place gives to its name. */
    public String value(int place, Call call) {
        Text text = texts.get(place);
        return text == null ? "" : text.of(call);
    }
}
