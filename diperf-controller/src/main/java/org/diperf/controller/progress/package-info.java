/** What a run tells whoever started it: how far it is, and why it failed. */
@NullMarked
package org.diperf.controller.progress;

import org.jspecify.annotations.NullMarked;
