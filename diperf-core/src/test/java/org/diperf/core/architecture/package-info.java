/** What the build files cannot say about the structure, held by tests in every module. */
@NullMarked
package org.diperf.core.architecture;

import org.jspecify.annotations.NullMarked;
