/**
 * A client plugin in one class, to start one's own from. Its jar goes into {@code plugins/}, and from there to every
 * tester.
 */
@NullMarked
package org.diperf.examples.echo;

import org.jspecify.annotations.NullMarked;
