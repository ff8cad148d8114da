/**
 * Writes CSV files (RFC 4180, with line feeds).
 */
@NullMarked
package org.diperf.core.csv;

import org.jspecify.annotations.NullMarked;
