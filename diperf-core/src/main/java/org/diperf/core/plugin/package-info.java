/**
 * Finds plugins: the bundled ones on the class path, and those of jars, each jar in a class loader of its own. One that
 * is broken is told with its reason and never keeps the others from working.
 */
@NullMarked
package org.diperf.core.plugin;

import org.jspecify.annotations.NullMarked;
