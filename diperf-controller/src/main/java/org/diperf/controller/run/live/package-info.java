/** What is seen of a run while it is in progress, and whom it is shown to. */
@NullMarked
package org.diperf.controller.run.live;

import org.jspecify.annotations.NullMarked;
