/**
 * Control channels: commands, replies, and their protection (RFC 959, 2228, 2389). Knows neither data channels nor
 * GSI.
 */
@NullMarked
package org.diperf.plugins.lib.gridftp.control;

import org.jspecify.annotations.NullMarked;
