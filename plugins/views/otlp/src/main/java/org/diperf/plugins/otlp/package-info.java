/** Sends series of a run by the OpenTelemetry protocol, as protobuf over HTTP. Everything here is behind {@code OutputPlugin}. */
@NullMarked
package org.diperf.plugins.otlp;

import org.jspecify.annotations.NullMarked;
