/** What is taken of the drawings of annexes. */
@NullMarked
package org.diperf.core.annex;

import org.jspecify.annotations.NullMarked;
