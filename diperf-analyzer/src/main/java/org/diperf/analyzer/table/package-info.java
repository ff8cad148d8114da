/**
 * The tables of a run, each declared once for its CSV file, the terminal and the report: stages, groups, kinds of request, clients,
 * testers, values over time.
 *
 * <ol>
 *   <li>A column of a file keeps its name, its unit and its place; new ones go to the end.
 *   <li>Listed statistics of response times are in every file, and in every table those of them that are meant for tables.
 * </ol>
 */
@NullMarked
package org.diperf.analyzer.table;

import org.jspecify.annotations.NullMarked;
