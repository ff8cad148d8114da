package org.diperf.plugins.emulated.cli;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.diperf.plugins.emulated.distributed.SliceServer;

/** The process of one engine of several; standard input and output are frames of whoever started it. */
public final class SliceMain {

    private static final int BUFFER = 1 << 16;

    private SliceMain() {}

    public static void main(String[] arguments) throws IOException {
        new SliceServer(
                        new DataInputStream(new BufferedInputStream(System.in, BUFFER)),
                        new DataOutputStream(new BufferedOutputStream(System.out, BUFFER)))
                .run();
    }
}
