/** What an emulated network is: hosts, routers, links, and the ways between hosts. Values alone; nothing runs here. */
@NullMarked
package org.diperf.plugins.emulated.topology;

import org.jspecify.annotations.NullMarked;
