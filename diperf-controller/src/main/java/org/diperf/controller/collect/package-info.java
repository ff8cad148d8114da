/**
 * The controller's side of the wire: admits testers, stores their sample blocks as received, and acknowledges what is
 * durable. One event loop owns the sessions; one writer thread owns the files.
 */
@NullMarked
package org.diperf.controller.collect;

import org.jspecify.annotations.NullMarked;
