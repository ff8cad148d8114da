/**
 * Calls methods of gRPC by name, with messages from the experiment file: descriptions of methods come from the service or from a file, so no
 * code is generated.
 */
@NullMarked
package org.diperf.plugins.grpc;

import org.jspecify.annotations.NullMarked;
