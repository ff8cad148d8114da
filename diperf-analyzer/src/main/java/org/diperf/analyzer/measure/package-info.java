/**
 * Numbers of a summary by their names, as thresholds and figures ask for them.
 */
@NullMarked
package org.diperf.analyzer.measure;

import org.jspecify.annotations.NullMarked;
