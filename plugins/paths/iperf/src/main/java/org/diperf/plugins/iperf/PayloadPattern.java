package org.diperf.plugins.iperf;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.SplittableRandom;

/** What streams carry: bytes that nothing on the way can compress. */
final class PayloadPattern {

    private static final long SEED = 0x1f3a5;

    private PayloadPattern() {}

    /** Makes a full direct buffer, the same for the same size. */
    static ByteBuf block(int bytes) {
        byte[] random = new byte[bytes];
        new SplittableRandom(SEED).nextBytes(random);
        return Unpooled.directBuffer(bytes, bytes).writeBytes(random);
    }
}
