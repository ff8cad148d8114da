/**
 * The experiment file: YAML or JSON in, {@link org.diperf.core.experiment.Experiment} and its resolved text out. One
 * declaration of the keys, {@code ExperimentShape}, drives reading, the JSON Schema and the resolved file.
 */
@NullMarked
package org.diperf.controller.experiment;

import org.jspecify.annotations.NullMarked;
