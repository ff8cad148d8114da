/**
 * Forecasts the next value of a series: by the forecasters of the Network Weather Service ({@link
 * org.diperf.plugins.lib.forecast.Battery}), with an interval from how far the latest forecasts were off ({@link
 * org.diperf.plugins.lib.forecast.Interval}).
 */
@NullMarked
package org.diperf.plugins.lib.forecast;

import org.jspecify.annotations.NullMarked;
