/**
 * A testbed of hosts on this machine that are joined by a network which the experiment file declares: its keys, the
 * namespaces that are its hosts, and the testers and services that run on them.
 */
@NullMarked
package org.diperf.plugins.emulated;

import org.jspecify.annotations.NullMarked;
