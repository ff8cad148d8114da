/**
 * The testbed of machines reached by ssh. From the bottom up: {@code Address} and {@code KnownHosts} identify machines,
 * {@code SshConnector} logs in, {@code Connection} runs scripts, {@code Supervisor} keeps programs of a run
 * on a node, {@code Deployment} copies files once, {@code Survey} probes nodes, {@code SshTestbed} puts it all together.
 */
@NullMarked
package org.diperf.plugins.ssh;

import org.jspecify.annotations.NullMarked;
