/** SOAP over HTTP: what writes requests, what reads XML that a service may have made up to harm, and where notifications go. */
@NullMarked
package org.diperf.plugins.lib.netty.soap;

import org.jspecify.annotations.NullMarked;
