/**
 * Clients {@code scp} and {@code sftp}: files by ssh through JSch, a thread for a client and one of JSch's for its log-in.
 */
@NullMarked
package org.diperf.plugins.sshcopy;

import org.jspecify.annotations.NullMarked;
