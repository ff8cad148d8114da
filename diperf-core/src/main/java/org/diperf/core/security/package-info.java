/**
 * Security for one run: a certificate authority that lives as long as the run, certificates that name a role, and a token.
 * A small DER writer encodes the certificates, because the JDK has no public API that makes them.
 */
@NullMarked
package org.diperf.core.security;

import org.jspecify.annotations.NullMarked;
