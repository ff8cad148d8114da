/**
 * The results of an analysis: {@code summary.json} and everything else that figures, report, tables and files show. Values that
 * know nothing about samples, threads or files; code that presents a run sees only these.
 */
@NullMarked
package org.diperf.analyzer.result;

import org.jspecify.annotations.NullMarked;
