/**
 * The report: one HTML file that contains its figures, opens from disk and loads nothing. Everything that came from
 * outside (names, outcomes, hosts, addresses) is escaped on its one way in, {@code Html.text}.
 */
@NullMarked
package org.diperf.analyzer.report;

import org.jspecify.annotations.NullMarked;
