/** What must be durable before anybody may forget it: a model of it, and the order in which the code does it. */
@NullMarked
package org.diperf.controller.durability;

import org.jspecify.annotations.NullMarked;
