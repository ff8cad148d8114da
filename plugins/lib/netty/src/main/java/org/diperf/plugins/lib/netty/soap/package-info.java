/** SOAP over HTTP: what writes requests, and what reads XML that a service may have made up to harm. */
@NullMarked
package org.diperf.plugins.lib.netty.soap;

import org.jspecify.annotations.NullMarked;
