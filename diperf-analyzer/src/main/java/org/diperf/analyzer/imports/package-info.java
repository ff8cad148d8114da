/**
 * Makes run directories of calls that other programs measured. What is not known of them is absent from the run, not zero.
 */
@NullMarked
package org.diperf.analyzer.imports;

import org.jspecify.annotations.NullMarked;
