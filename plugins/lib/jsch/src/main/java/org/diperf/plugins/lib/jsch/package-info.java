/** Shared by plugins that log in by ssh through JSch: which hosts to trust. */
@NullMarked
package org.diperf.plugins.lib.jsch;

import org.jspecify.annotations.NullMarked;
