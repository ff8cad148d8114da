/** Tests of sample format 1: what is written is read again, and what is damaged is found. */
@NullMarked
package org.diperf.core.sample;

import org.jspecify.annotations.NullMarked;
