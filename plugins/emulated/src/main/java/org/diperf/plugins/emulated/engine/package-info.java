/**
 * Carries packets over an emulated network. {@link org.diperf.plugins.emulated.engine.Network} decides, by the time that it is
 * told, when each packet arrives or that it is lost; {@link org.diperf.plugins.emulated.engine.Forwarder} reads packets of
 * the kernel and writes them when their time has come.
 */
@NullMarked
package org.diperf.plugins.emulated.engine;

import org.jspecify.annotations.NullMarked;
