/**
 * Forecasts the next value of a series: by the forecasters of the Network Weather Service ({@link
 * org.diperf.core.forecast.Battery}), with an interval from how far the latest forecasts were off ({@link
 * org.diperf.core.forecast.Interval}).
 */
@NullMarked
package org.diperf.core.forecast;

import org.jspecify.annotations.NullMarked;
