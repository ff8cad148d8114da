/**
 * The plugin interface. Client plugins make calls to a service, testbed plugins start testers, monitor plugins observe the
 * service from its own side, and export plugins write the calls of a run in other formats. These types use only the JDK, so a
 * plugin can bring any libraries of its own.
 *
 * <p>The contract of a client plugin follows. {@code org.diperf.core.contract.ClientPluginContract} in the test-jar of
 * diperf-core checks any plugin against it, as far as that is possible from outside.
 *
 * <ol>
 *   <li>{@code id()} must be 1 to 32 lower-case letters, digits and hyphens, and must stay the same in later versions;
 *       {@code summary()} must be one line.
 *   <li>{@code parameters()} and {@code metrics()} must have unique names and must always return the same; a default must
 *       be readable as its parameter's type, and so must an example. {@code exampleTarget()} should be one that {@code check}
 *       accepts with the examples of all required parameters.
 *   <li>A plugin's constructor must do nothing; {@code check} must open nothing and must throw only {@code
 *       IllegalArgumentException}, whose message should say what was wanted, what was found and what to do.
 *   <li>{@code probe} must not call the service and must return or throw within its timeout.
 *   <li>Each session must make clients of one kind, the one that {@code kind()} returns; each client must be a new object.
 *   <li>Anything that clients share must be thread-safe.
 *   <li>A call must end exactly once: a blocking one by returning or throwing, an asynchronous one by {@code ok}, {@code
 *       fail} or throwing. A later end is counted as a fault and ignored.
 *   <li>A fault of the service must become a failed call, and must not prevent later calls of the client: after a failure
 *       the next call should try again.
 *   <li>A failure's kind must be the same for equal causes, so it should not contain addresses, ports, times or sizes. A
 *       failure that is not the service's fault must say whose it is, by {@link org.diperf.core.spi.Failure}: the generator's if
 *       this machine ran out of files, ports, memory or processes, the experiment's if something it names is missing or
 *       unusable.
 *   <li>A blocking call must end within one second after its thread is interrupted, or bound its own waits by {@code
 *       Context.timeout()}; a client that does neither is abandoned and replaced.
 *   <li>An asynchronous client must not block its loop, and must end a cancelled call within one second.
 *   <li>A client must not use a call after it has ended, because the object is reused for the next one.
 *   <li>{@code close} of a client must work after {@code open} failed and after any call failed; {@code close} of a
 *       session must end the threads and processes that the session and its clients started.
 *   <li>A client may report bytes, metrics and the first call on a connection; what it does not report is not shown.
 *   <li>A client may time its calls itself and report them through the recorder; if one invocation makes many calls,
 *       {@code BlockingClient.selfTimed} must return true, and the plugin must have the trait {@code TIMES_ITSELF}.
 *   <li>A client that takes several calls at once ({@code AsyncClient.callsAtOnce}) is of a plugin that has the trait {@code
 *       MAKES_CALLS_AT_ONCE}.
 *   <li>{@code traits()} must always return the same: it is all that the analysis of a run knows about the plugin.
 * </ol>
 */
@NullMarked
package org.diperf.core.spi;

import org.jspecify.annotations.NullMarked;
