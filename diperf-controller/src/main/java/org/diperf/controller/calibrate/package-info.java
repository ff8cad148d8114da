/**
 * What this machine's testers can do: measured by ordinary runs against a service that does nothing, kept in a file of this
 * user's, and found again by runs on the same machine.
 */
@NullMarked
package org.diperf.controller.calibrate;

import org.jspecify.annotations.NullMarked;
