/** Deploys, starts, awaits and stops the service under test, if the experiment says so. */
@NullMarked
package org.diperf.controller.service;

import org.jspecify.annotations.NullMarked;
