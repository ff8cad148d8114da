/**
 * The bundled monitors: processes and hosts on Linux, Ganglia, Prometheus, and the service's own access log. A host's
 * values are interpreted in one place, wherever they were read.
 */
@NullMarked
package org.diperf.plugins.monitor;

import org.jspecify.annotations.NullMarked;
