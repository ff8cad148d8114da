/**
 * Formats of exports that other tools read: CSV, JMeter's JTL, JSON lines, and HdrHistogram's tables and logs. Each writes a
 * call at a time, in memory that does not grow with their number.
 */
@NullMarked
package org.diperf.plugins.formats;

import org.jspecify.annotations.NullMarked;
