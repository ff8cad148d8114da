/**
 * The slurm testbed: a batch job starts the testers wherever Slurm finds room for them. It uses Slurm's own commands, here
 * or on a log-in node, and a folder that the nodes share.
 */
@NullMarked
package org.diperf.plugins.slurm;

import org.jspecify.annotations.NullMarked;
