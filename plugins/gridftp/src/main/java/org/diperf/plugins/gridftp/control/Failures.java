package org.diperf.plugins.gridftp.control;

import java.util.List;
import java.util.Locale;

/** Says in few words, the same for equal causes, why a transfer failed. */
public final class Failures {

    /** What the disk of the tester may say. */
    private static final List<String> OF_FILES =
            List.of("no space left on device", "permission denied", "no such file or directory");

    private Failures() {}

    public static String kind(Throwable failure) {
        if (failure instanceof ReplyReader.MalformedReplyException || failure instanceof DataFault) {
            return String.valueOf(failure.getMessage());
        }
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return OF_FILES.stream()
                .filter(message::contains)
                .findFirst()
                .orElseGet(() -> org.diperf.plugins.lib.netty.Failures.kind(failure));
    }
}
