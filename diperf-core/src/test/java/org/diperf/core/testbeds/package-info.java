/** What tests of testbeds have in common. */
@NullMarked
package org.diperf.core.testbeds;

import org.jspecify.annotations.NullMarked;
