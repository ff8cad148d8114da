/**
 * Authentication by GSI: the log-in on a control channel, and the same for data channels (GFD.20). Uses {@code control}.
 */
@NullMarked
package org.diperf.plugins.lib.gridftp.gsi;

import org.jspecify.annotations.NullMarked;
