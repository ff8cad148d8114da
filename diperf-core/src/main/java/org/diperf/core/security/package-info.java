/**
 * One-run security: a certificate authority that lives as long as the run, certificates that name a role, and a token.
 * The certificates are laid out by a small DER writer, because the JDK has no public API that makes them.
 */
@NullMarked
package org.diperf.core.security;

import org.jspecify.annotations.NullMarked;
