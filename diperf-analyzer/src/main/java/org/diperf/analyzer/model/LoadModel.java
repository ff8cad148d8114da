package org.diperf.analyzer.model;

import java.util.List;
import java.util.Map;

/** A service as a function of the load. Immutable. */
public interface LoadModel {

    /** Names the kind of model. */
    String name();

    /** Returns its parameters, with their units in their names, in the order to show. */
    Map<String, Double> parameters();

    /**
     * Predicts.
     *
     * @param load as of a {@link LevelPoint}, above 0
     */
    Answer at(double load);

    /**
     * Returns the load from which on more of it brings no more throughput, as the model has it; {@link
     * Double#POSITIVE_INFINITY} where there is none.
     */
    double knee();

    /** Fits the parameters that are not whole numbers to other levels. */
    LoadModel refit(List<LevelPoint> points);

    /** Lists models of the same kind that explain levels hardly worse, and may foretell something else. */
    default List<LoadModel> rivals(List<LevelPoint> points) {
        return List.of();
    }

    /**
     * What is predicted at a load.
     *
     * @param perSecond ok calls a second
     * @param responseSeconds mean response time; {@link Double#POSITIVE_INFINITY} where queues grow without end
     */
    record Answer(double perSecond, double responseSeconds) {}
}
