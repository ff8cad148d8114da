/** What a plugin author sees. */
@NullMarked
package org.diperf.core.spi;

import org.jspecify.annotations.NullMarked;
