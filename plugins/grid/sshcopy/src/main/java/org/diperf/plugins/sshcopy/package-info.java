/**
 * Clients {@code scp} and {@code sftp}: files over ssh through JSch, with one thread per client and one of JSch's per log-in.
 */
@NullMarked
package org.diperf.plugins.sshcopy;

import org.jspecify.annotations.NullMarked;
