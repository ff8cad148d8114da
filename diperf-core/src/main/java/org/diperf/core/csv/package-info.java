/**
 * How files of comma-separated values are written, by RFC 4180 with line feeds.
 */
@NullMarked
package org.diperf.core.csv;

import org.jspecify.annotations.NullMarked;
