/**
 * Clients {@code mds}, {@code ldap} and {@code wsrf}: queries to directories by LDAP and to WSRF services by
 * {@code QueryResourceProperties}; to these also subscriptions, messages and the wait for notifications. Both use Netty; LDAP messages are encoded by UnboundID's SDK, but not sent by it,
 * because its connections need a thread each.
 */
@NullMarked
package org.diperf.plugins.mds;

import org.jspecify.annotations.NullMarked;
