/**
 * The one expression language of thresholds: {@code path operator value}, joined by {@code &&}. It knows how to read
 * and compare, not where the values come from.
 */
@NullMarked
package org.diperf.core.expression;

import org.jspecify.annotations.NullMarked;
