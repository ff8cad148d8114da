/**
 * What the numbers of a run are called, and where each of them is found: thresholds, searches, rules of a comparison, figures and
 * tables all ask here, so that a name that is accepted can be answered.
 *
 * <ol>
 *   <li>A path is a scope, a quantity and a statistic: {@code peak.response.p99}. Without a scope it is over {@code measured}.
 *   <li>Where a path is read, it must say which source is to answer it: a stage under way knows less than a summary.
 *   <li>An answer has a unit and the number of values behind it; {@code null} means that this run did not measure it.
 * </ol>
 */
@NullMarked
package org.diperf.analyzer.measure;

import org.jspecify.annotations.NullMarked;
