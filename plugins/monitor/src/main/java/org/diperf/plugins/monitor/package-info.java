/**
 * Monitors that come with the controller: processes and hosts as Linux tells of them, Ganglia, Prometheus, and what the
 * service itself wrote into its access log. What a host says is understood in one place, wherever it was read.
 */
@NullMarked
package org.diperf.plugins.monitor;

import org.jspecify.annotations.NullMarked;
