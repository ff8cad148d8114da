/**
 * The nws client: probes a path as the sensors of the Network Weather Service do (connect time, latency, bandwidth) and forecasts
 * each with that service's battery of predictors, written from the formulas of its source; and a sensor as the other end.
 */
@NullMarked
package org.diperf.plugins.nws;

import org.jspecify.annotations.NullMarked;
