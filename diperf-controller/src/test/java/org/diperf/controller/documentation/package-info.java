/** What users read about DiPerF, taken apart for the tests that hold it against the program. */
@NullMarked
package org.diperf.controller.documentation;

import org.jspecify.annotations.NullMarked;
