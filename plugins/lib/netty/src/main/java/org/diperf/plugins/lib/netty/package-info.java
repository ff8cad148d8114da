/** What plugins that speak through Netty have in common: event loops and the way between them and a client's owner, whom
 * TLS trusts, the round trip of handshakes, and words for failures. */
@NullMarked
package org.diperf.plugins.lib.netty;

import org.jspecify.annotations.NullMarked;
