/**
 * Routers that find the ways by bird(8): what they are told, and what is seen of them in its log and in the kernel's tables. Nothing is
 * started here.
 */
@NullMarked
package org.diperf.plugins.emulated.routing;

import org.jspecify.annotations.NullMarked;
