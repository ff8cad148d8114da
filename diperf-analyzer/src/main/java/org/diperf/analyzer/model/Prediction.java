package org.diperf.analyzer.model;

/**
 * What a model says of a load, with bands in which nineteen of twenty measurements are expected.
 *
 * @param load as of a {@link LevelPoint}
 * @param perSecond ok calls a second
 * @param perSecondLow lower end of its band
 * @param perSecondHigh upper end of its band
 * @param responseSeconds mean response time
 * @param responseSecondsLow lower end of its band
 * @param responseSecondsHigh upper end of its band
 */
public record Prediction(
        double load,
        double perSecond,
        double perSecondLow,
        double perSecondHigh,
        double responseSeconds,
        double responseSecondsLow,
        double responseSecondsHigh) {}
