/**
 * The figures of a run, as PNG and SVG. This is the only place that knows JFreeChart, AWT and Batik; where the machine
 * has no fonts, nothing of it is drawn and everything else of an analysis still works.
 */
@NullMarked
package org.diperf.analyzer.figure;

import org.jspecify.annotations.NullMarked;
