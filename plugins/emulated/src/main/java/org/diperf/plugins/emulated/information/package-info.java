/** A read-only directory of entries that clients query by LDAP (RFC 4511), with bounded work for each of them. */
@NullMarked
package org.diperf.plugins.emulated.information;

import org.jspecify.annotations.NullMarked;
