/**
 * From a few measured levels of the load to what a service can do: models that predict, and the knee beyond which more
 * load brings no more throughput. Pure functions; times in seconds, rates per second.
 */
@NullMarked
package org.diperf.analyzer.model;

import org.jspecify.annotations.NullMarked;
