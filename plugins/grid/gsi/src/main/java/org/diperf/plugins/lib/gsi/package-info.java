/**
 * Authentication by GSI, the Grid Security Infrastructure, for plugins whose services want it: the credential, TLS with
 * proxies (RFC 3820), and the delegation of one.
 */
@NullMarked
package org.diperf.plugins.lib.gsi;

import org.jspecify.annotations.NullMarked;
