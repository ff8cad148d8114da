/**
 * Control channels: commands, the replies to them, and how either is protected (RFC 959, 2228, 2389). Knows neither data nor
 * GSI.
 */
@NullMarked
package org.diperf.plugins.gridftp.control;

import org.jspecify.annotations.NullMarked;
