/**
 * Clients {@code mds}, {@code ldap} and {@code wsrf}: queries to directories by LDAP and to WSRF services by
 * {@code QueryResourceProperties}. Both speak through Netty; what is said in LDAP is encoded by UnboundID's SDK, whose own
 * connections need a thread each.
 */
@NullMarked
package org.diperf.plugins.mds;

import org.jspecify.annotations.NullMarked;
