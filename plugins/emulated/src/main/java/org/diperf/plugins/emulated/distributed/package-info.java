/**
 * An emulated network in virtual time, split over several processes that may be on several machines: each carries a
 * {@link org.diperf.plugins.emulated.engine.Slice}, and one that started them tells them until when they may go on.
 */
@NullMarked
package org.diperf.plugins.emulated.distributed;

import org.jspecify.annotations.NullMarked;
