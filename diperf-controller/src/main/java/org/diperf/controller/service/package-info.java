/** Deploys, starts, awaits and stops the service under test, where the experiment asks for it. */
@NullMarked
package org.diperf.controller.service;

import org.jspecify.annotations.NullMarked;
