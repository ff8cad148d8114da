/** Tests of load plans against answers worked out by hand and known distributions. */
@NullMarked
package org.diperf.core.plan;

import org.jspecify.annotations.NullMarked;
