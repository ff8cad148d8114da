/**
 * Runs the packaged jar as users do. Servers that are not installed are named and their tests skipped.
 */
@NullMarked
package org.diperf.controller.acceptance;

import org.jspecify.annotations.NullMarked;
