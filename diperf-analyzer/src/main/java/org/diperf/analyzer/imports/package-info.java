/**
 * Run directories made of the files of other programs. What a file does not say is absent from the run, not zero.
 */
@NullMarked
package org.diperf.analyzer.imports;

import org.jspecify.annotations.NullMarked;
