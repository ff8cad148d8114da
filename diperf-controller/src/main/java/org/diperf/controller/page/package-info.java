/**
 * Pages that a browser shows: a run under way, and the runs of a folder. Served to this machine alone unless told otherwise; what
 * changes anything wants a token; the work does not grow with the number of viewers but for sending.
 */
@NullMarked
package org.diperf.controller.page;

import org.jspecify.annotations.NullMarked;
