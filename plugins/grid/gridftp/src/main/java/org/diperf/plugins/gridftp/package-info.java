/**
 * The gridftp and ftp clients: one engine for FTP (RFC 959, 2228, 2389, 3659) and its grid extensions (GFD.20, GFD.47).
 * Everything that belongs to one session with a server is confined to one event loop.
 */
@NullMarked
package org.diperf.plugins.gridftp;

import org.jspecify.annotations.NullMarked;
