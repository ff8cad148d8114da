/**
 * Calls as Parquet files, for DuckDB, pandas, Spark and their like: row groups of 128 Ki calls, one page a column, packed
 * by gzip; words by dictionaries.
 */
@NullMarked
package org.diperf.plugins.parquet;

import org.jspecify.annotations.NullMarked;
