/**
 * Frames between two processes: TLS connections that reconnect when they break, sealed datagrams, and the decoder
 * that cuts a stream into frames. Tester, relay and collector share it. Everything is confined to an event loop.
 */
@NullMarked
package org.diperf.tester.transport;

import org.jspecify.annotations.NullMarked;
