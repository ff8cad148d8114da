/** What the programs of a host may use of this machine: control groups of versions 1 and 2. */
@NullMarked
package org.diperf.plugins.emulated.limits;

import org.jspecify.annotations.NullMarked;
