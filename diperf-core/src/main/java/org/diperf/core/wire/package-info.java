/**
 * The wire between testers and controller: a closed, versioned set of messages and their codec on
 * {@link java.nio.ByteBuffer}.
 *
 * <ol>
 *   <li>A frame is: u32 length of what follows, u8 version, u8 type, u32 tester, i64 sentNanos, i64 echoOfNanos, i64
 *       echoReceivedNanos, payload; integers are big-endian. The length must not pass {@link Frame#MAX_LENGTH}.
 *   <li>Every frame names its tester, so that many testers can share one connection.
 *   <li>{@code sentNanos} is read from the sender's monotonic clock when the frame is written. {@code echoOfNanos} is the
 *       peer's {@code sentNanos} of the last frame that the sender received, 0 if there is none; {@code
 *       echoReceivedNanos} is the sender's clock when that frame was received. So every frame of a tester completes an
 *       exchange of four stamps.
 *   <li>A decoder must bound every length by the bytes available before it allocates, and must refuse what it does not
 *       know: bad input only ever causes a {@link WireException}. Nothing on the wire names a class.
 *   <li>Blocks are numbered per tester from 1 and travel in order; an acknowledgement covers everything up to its
 *       number, and means that it is durable.
 * </ol>
 */
@NullMarked
package org.diperf.core.wire;

import org.jspecify.annotations.NullMarked;
