/** How to run experiments from JUnit, for tests of a client or of a service's performance. */
package org.diperf.examples.experiment;
