/**
 * The figures of a run, as PNG and SVG. Only this package uses JFreeChart, AWT and Batik; on a machine without fonts no
 * figures are drawn and the rest of an analysis still works.
 */
@NullMarked
package org.diperf.analyzer.figure;

import org.jspecify.annotations.NullMarked;
