package org.diperf.plugins.lib.gridftp.control;

import java.util.List;
import java.util.Locale;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Fault;

/** Says in a few words, the same for equal causes, why a transfer failed, and whose fault it was. */
public final class Failures {

    /** What the disk of the tester may say of a file that the experiment names. */
    private static final List<String> OF_FILES = List.of("permission denied", "no such file or directory");

    private Failures() {}

    /** Names what went wrong with a server, or with a connection to it. */
    public static Failure of(Throwable thrown) {
        if (thrown instanceof ReplyReader.MalformedReplyException || thrown instanceof DataFault) {
            return Failure.ofService(String.valueOf(thrown.getMessage()));
        }
        return org.diperf.plugins.lib.netty.Failures.of(thrown);
    }

    /** Names what went wrong with a file of the tester: the experiment names it, its disk may be full. */
    public static Failure ofLocalFile(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage()).toLowerCase(Locale.ROOT);
        Failure why = OF_FILES.stream()
                .filter(message::contains)
                .findFirst()
                .map(Failure::ofExperiment)
                .orElseGet(() -> of(thrown));
        return why.fault() == Fault.GENERATOR
                ? why.in("local file")
                : Failure.ofExperiment("local file: " + why.kind());
    }
}
