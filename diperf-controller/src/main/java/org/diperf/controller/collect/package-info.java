/**
 * The controller's side of the wire: lets testers in, keeps their sample blocks as they came, and acknowledges what is
 * durable. One event loop owns the sessions; one writer thread owns the files.
 */
@NullMarked
package org.diperf.controller.collect;

import org.jspecify.annotations.NullMarked;
