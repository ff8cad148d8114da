/**
 * Calls as Parquet files, for DuckDB, pandas, Spark and similar tools: row groups of 128 Ki calls, one page per column,
 * compressed by gzip; words as dictionaries.
 */
@NullMarked
package org.diperf.plugins.parquet;

import org.jspecify.annotations.NullMarked;
