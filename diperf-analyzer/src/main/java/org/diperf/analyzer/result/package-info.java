/**
 * What an analysis says: {@code summary.json} and everything that figures, report, tables and files show beside it. Values that
 * know nothing of samples, threads or files; whoever presents a run sees these alone.
 */
@NullMarked
package org.diperf.analyzer.result;

import org.jspecify.annotations.NullMarked;
