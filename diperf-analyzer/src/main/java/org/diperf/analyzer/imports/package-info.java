/**
 * Makes run directories from files of other programs. What a file does not contain is absent from the run, not zero.
 */
@NullMarked
package org.diperf.analyzer.imports;

import org.jspecify.annotations.NullMarked;
