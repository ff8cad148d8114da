/**
 * Finds plugins: the bundled ones on the class path, and those in jars, each jar with its own class loader. A broken plugin
 * is reported with the reason and never affects the others.
 */
@NullMarked
package org.diperf.core.plugin;

import org.jspecify.annotations.NullMarked;
