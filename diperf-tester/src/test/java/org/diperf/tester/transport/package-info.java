/** Tests of connections and frames. */
@NullMarked
package org.diperf.tester.transport;

import org.jspecify.annotations.NullMarked;
