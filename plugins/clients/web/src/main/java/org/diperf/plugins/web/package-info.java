/** Experiments of what was recorded in a browser, copied as a line of curl, or described: the options of {@code diperf init} for them. */
@NullMarked
package org.diperf.plugins.web;

import org.jspecify.annotations.NullMarked;
