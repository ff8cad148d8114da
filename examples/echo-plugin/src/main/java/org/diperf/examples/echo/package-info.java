/**
 * A client plugin in one class, as a starting point for your own. Its jar goes into {@code plugins/}, and from there to every
 * tester.
 */
@NullMarked
package org.diperf.examples.echo;

import org.jspecify.annotations.NullMarked;
