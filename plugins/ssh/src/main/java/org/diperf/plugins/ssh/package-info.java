/**
 * The testbed of machines that are reached by ssh. Inside, from the bottom up: {@code Address} and {@code KnownHosts} say
 * who is to be there, {@code Access} logs in, {@code Connection} runs scripts, {@code Supervisor} keeps programs of a run
 * on a node, {@code Deployment} brings files there once, {@code Survey} looks at nodes, {@code SshTestbed} is the whole.
 */
@NullMarked
package org.diperf.plugins.ssh;

import org.jspecify.annotations.NullMarked;
