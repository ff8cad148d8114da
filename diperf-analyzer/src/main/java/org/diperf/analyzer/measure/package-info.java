/**
 * The names of a run's numbers, and where each of them is found: thresholds, searches, rules of a comparison, figures and
 * tables all ask here, so that every accepted name can be answered.
 *
 * <ol>
 *   <li>A path is a scope, a quantity and a statistic: {@code peak.response.p99}. Without a scope it is over {@code measured}.
 *   <li>Whoever parses a path must say which source will answer it: a stage in progress knows less than a summary.
 *   <li>An answer has a unit and the number of values behind it; {@code null} means that this run did not measure it.
 * </ol>
 */
@NullMarked
package org.diperf.analyzer.measure;

import org.jspecify.annotations.NullMarked;
