/**
 * What a plugin author sees: client plugins make calls to a service, testbed plugins start testers somewhere. The types
 * here use the JDK alone, so that a plugin's libraries are its own affair.
 *
 * <p>The contract of a client plugin; {@code org.diperf.core.contract.ClientPluginContract} in the test-jar of
 * diperf-core checks it for any plugin, as far as it can be checked from outside.
 *
 * <ol>
 *   <li>{@code id()} must be 1 to 32 lower-case letters, digits and hyphens, and must stay the same in later versions;
 *       {@code summary()} must be one line.
 *   <li>{@code parameters()} and {@code metrics()} must have unique names and must be the same whenever they are asked
 *       for; a default must be readable as its parameter's type.
 *   <li>A constructor of a plugin must do nothing; {@code check} must open nothing and must throw {@code
 *       IllegalArgumentException} alone, which should say what was wanted, what was found and what to do.
 *   <li>{@code probe} must make no call of the service and must return or throw within its timeout.
 *   <li>Each session must make clients of one kind, the one that {@code kind()} says; each client must be a new object.
 *   <li>A client must share nothing with another client that is not safe for use by several threads.
 *   <li>A call must end exactly once: a blocking one by returning or throwing, an asynchronous one by {@code ok}, {@code
 *       fail} or throwing. A later end is counted as a fault and ignored.
 *   <li>What the service does wrong must become a failed call, and must not make later calls of the client impossible:
 *       after a failure the next call should try again.
 *   <li>A failure's kind must be the same for equal causes; addresses, ports, times and sizes should not be in it. A failure
 *       that is not the service's must say whose it is, by {@link org.diperf.core.spi.Failure}: the generator's when this machine
 *       had no more files, ports, memory or processes, the experiment's when what it names is missing or unusable.
 *   <li>A blocking call must end within one second after its thread was interrupted, or else should bound its own waits
 *       by {@code Context.timeout()}; a client that does neither is given up and replaced.
 *   <li>An asynchronous client must not block its loop, and must end a cancelled call within one second.
 *   <li>A client must not touch a call after it has ended, because the object then belongs to the next one.
 *   <li>{@code close} of a client must work after {@code open} failed and after any call failed; {@code close} of a
 *       session must end the threads and processes that the session and its clients started.
 *   <li>A client may report bytes, metrics and the first call of a connection; what it does not report is not shown.
 *   <li>A client may time its calls itself and report them through the recorder; {@code BlockingClient.selfTimed} then
 *       must say so where one invocation makes many calls, and the plugin must have the trait {@code TIMES_ITSELF}.
 *   <li>{@code traits()} must be the same whenever it is asked for: what reads the run later knows nothing else of the plugin.
 * </ol>
 */
@NullMarked
package org.diperf.core.spi;

import org.jspecify.annotations.NullMarked;
