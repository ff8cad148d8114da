/** What a run reports to its caller: its progress, and why it failed. */
@NullMarked
package org.diperf.controller.progress;

import org.jspecify.annotations.NullMarked;
