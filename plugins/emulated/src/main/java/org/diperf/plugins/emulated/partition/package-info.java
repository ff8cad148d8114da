/**
 * Splits a topology among processes that emulate it together: by what it declares, or by traffic that was measured. All of it is a
 * function of its arguments.
 */
@NullMarked
package org.diperf.plugins.emulated.partition;

import org.jspecify.annotations.NullMarked;
