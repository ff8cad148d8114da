/**
 * The Network Weather Service as a system: a name server, a memory that keeps series on disk, and sensors that measure their host and,
 * in cliques, the paths between hosts. Name server, memory, activities and probes speak the messages of NWS 2; cliques have messages of
 * their own.
 */
@NullMarked
package org.diperf.plugins.weather;

import org.jspecify.annotations.NullMarked;
