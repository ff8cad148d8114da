/**
 * Words and numbers for people: how numbers are formatted, the one-sentence finding, and the table at the end of a
 * run. The report and the terminal say the same because both ask here.
 */
@NullMarked
package org.diperf.analyzer.text;

import org.jspecify.annotations.NullMarked;
