/**
 * What a run leaves of a service's capacity for later plans ({@link org.diperf.analyzer.profile.Profile}), and plans by it
 * ({@link org.diperf.analyzer.profile.CapacityPlan}).
 */
@NullMarked
package org.diperf.analyzer.profile;

import org.jspecify.annotations.NullMarked;
