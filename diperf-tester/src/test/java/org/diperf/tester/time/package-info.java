@NullMarked
package org.diperf.tester.time;

import org.jspecify.annotations.NullMarked;
