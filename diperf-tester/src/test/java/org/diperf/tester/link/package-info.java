@NullMarked
package org.diperf.tester.link;

import org.jspecify.annotations.NullMarked;
