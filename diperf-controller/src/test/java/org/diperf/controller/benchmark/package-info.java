/**
 * Services with known behaviour and the arithmetic on what was measured of them, for the scripts in {@code benchmarks/},
 * which run each class from its source. No tests.
 */
@NullMarked
package org.diperf.controller.benchmark;

import org.jspecify.annotations.NullMarked;
