/** The tester as a program: joins a run by a ticket and takes part until the controller dismisses it. */
@NullMarked
package org.diperf.tester;

import org.jspecify.annotations.NullMarked;
