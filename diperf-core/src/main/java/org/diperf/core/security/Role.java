package org.diperf.core.security;

import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;

/** What the holder of a run's certificate may do; the certificate's organisational unit. */
public enum Role {
    CONTROLLER,
    TESTER,
    RELAY;

    private static final Pattern SUBJECT = Pattern.compile("CN=([0-9]{1,9}),OU=(controller|tester|relay)");

    /**
     * Who holds a certificate.
     *
     * @param number of the tester or relay; 0 for the controller
     */
    public record Holder(Role role, int number) {}

    /**
     * Reads role and number from a certificate whose chain has been checked.
     *
     * @return empty when the subject is not of the form that a run's authority gives
     */
    public static Optional<Holder> of(X509Certificate certificate) {
        Matcher matcher = SUBJECT.matcher(certificate.getSubjectX500Principal().getName(X500Principal.RFC2253));
        return matcher.matches()
                ? Optional.of(new Holder(
                        valueOf(matcher.group(2).toUpperCase(Locale.ROOT)), Integer.parseInt(matcher.group(1))))
                : Optional.empty();
    }

    /** Returns the word in the certificate. */
    String unit() {
        return name().toLowerCase(Locale.ROOT);
    }
}
