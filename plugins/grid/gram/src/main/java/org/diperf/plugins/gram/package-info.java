/**
 * Client plugin that runs jobs through GRAM (Globus Toolkit 2 to 5): submits them to a gatekeeper by GSI, learns their states
 * from the job manager, and cancels them.
 *
 * <p>Sources of the protocol: the GRAM protocol library of the Grid Community Toolkit (messages, their framing by HTTP, names of
 * errors), its gatekeeper (GSI with delegation before the one request of a connection), and the grammar of its RSL library.
 */
@NullMarked
package org.diperf.plugins.gram;

import org.jspecify.annotations.NullMarked;
