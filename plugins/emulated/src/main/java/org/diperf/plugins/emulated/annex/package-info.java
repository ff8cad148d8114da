/** What an emulated network shows of itself with the results of a run. */
@NullMarked
package org.diperf.plugins.emulated.annex;

import org.jspecify.annotations.NullMarked;
