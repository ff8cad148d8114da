/** Tests of the load engine. Most turn its scheduling core by hand with a clock of their own. */
@NullMarked
package org.diperf.tester.engine.loop;

import org.jspecify.annotations.NullMarked;
