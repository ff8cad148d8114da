/**
 * The one expression language of thresholds: {@code path operator value}, joined by {@code &&}. It parses
 * and compares, and does not know where values come from.
 */
@NullMarked
package org.diperf.core.expression;

import org.jspecify.annotations.NullMarked;
