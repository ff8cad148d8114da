/** Tests of the extension run test classes that fail on purpose in an engine of their own. */
package org.diperf.junit;
