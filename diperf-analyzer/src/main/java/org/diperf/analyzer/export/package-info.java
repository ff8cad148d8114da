/**
 * The calls of a run in formats that other tools read. Every format is written while the samples are read, in memory that
 * does not grow with them.
 */
@NullMarked
package org.diperf.analyzer.export;

import org.jspecify.annotations.NullMarked;
