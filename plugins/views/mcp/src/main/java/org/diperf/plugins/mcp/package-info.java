/** Lets an agent measure through the Model Context Protocol, within caps that a person sets. */
@NullMarked
package org.diperf.plugins.mcp;

import org.jspecify.annotations.NullMarked;
