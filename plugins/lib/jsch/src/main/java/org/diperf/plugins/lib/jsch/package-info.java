/** What plugins that log in by ssh through JSch have in common: whom they trust. */
@NullMarked
package org.diperf.plugins.lib.jsch;

import org.jspecify.annotations.NullMarked;
