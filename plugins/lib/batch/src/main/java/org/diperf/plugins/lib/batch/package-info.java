/**
 * What testbeds share whose testers a batch system starts: jobs that wait, run and end as the system says, testers that fail with
 * their job or their node, and an end that leaves nothing. A system answers the few questions of
 * {@link org.diperf.plugins.lib.batch.BatchSystem}.
 */
@NullMarked
package org.diperf.plugins.lib.batch;

import org.jspecify.annotations.NullMarked;
