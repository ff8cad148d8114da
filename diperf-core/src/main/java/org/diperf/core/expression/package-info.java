/**
 * The one expression language of thresholds: {@code path operator value}, joined by {@code &&}. It parses
 * and compares, and does not know where values come from. Beside it the comparisons of checks and conditions in journeys.
 */
@NullMarked
package org.diperf.core.expression;

import org.jspecify.annotations.NullMarked;
