/**
 * Managed transfers: many files as one job, which chooses sessions, streams and requests ahead itself and tries again what fails.
 * Knows transfers and sessions, but neither calls nor clients.
 */
@NullMarked
package org.diperf.plugins.gridftp.managed;

import org.jspecify.annotations.NullMarked;
