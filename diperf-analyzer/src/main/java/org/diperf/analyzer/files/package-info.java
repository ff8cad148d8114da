/**
 * The files that an analysis writes into a run directory.
 */
@NullMarked
package org.diperf.analyzer.files;

import org.jspecify.annotations.NullMarked;
