/**
 * The numbers of a run in progress, in bounded memory.
 */
@NullMarked
package org.diperf.analyzer.live;

import org.jspecify.annotations.NullMarked;
