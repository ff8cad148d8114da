/**
 * The numbers of a run under way, in bounded memory.
 */
@NullMarked
package org.diperf.analyzer.live;

import org.jspecify.annotations.NullMarked;
