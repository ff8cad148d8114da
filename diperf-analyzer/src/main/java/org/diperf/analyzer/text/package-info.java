/**
 * Words and numbers for people: how figures are written, what was found in one sentence, and the table at the end of a
 * run. The report and the terminal say the same because both ask here.
 */
@NullMarked
package org.diperf.analyzer.text;

import org.jspecify.annotations.NullMarked;
