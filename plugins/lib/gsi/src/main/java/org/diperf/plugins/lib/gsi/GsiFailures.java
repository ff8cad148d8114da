package org.diperf.plugins.lib.gsi;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Failures;

/** Says why two sides could not authenticate each other. */
public final class GsiFailures {

    private GsiFailures() {}

    /** Says why a handshake failed, in words that are the same for equal causes. */
    public static Failure of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathBuilderException || cause instanceof CertificateException) {
                String message = String.valueOf(cause.getMessage());
                return message.startsWith("No subject alternative") || message.startsWith("No name matching")
                        ? Failure.ofService("GSI: certificate is for another host")
                        : Failure.ofService("GSI: certificate not trusted");
            }
        }
        Failure why = failure instanceof SSLException
                ? Failure.ofService(String.valueOf(failure.getMessage()))
                : Failures.of(failure);
        return why.in("GSI");
    }
}
