package org.diperf.plugins.gram;

import java.util.Map;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/** What gatekeepers and job managers say, as far as it must be right. */
final class GramReply {

    /** It is of another version of the protocol. */
    static final class WrongVersionException extends Exception {
        private static final long serialVersionUID = 1;
    }

    private GramReply() {}

    /** Reads a message of our version. */
    static Map<String, String> read(String message)
            throws GramMessage.MalformedMessageException, WrongVersionException {
        Map<String, String> read = GramMessage.read(message);
        if (GramMessage.number(read, "protocol-version") != GramMessage.VERSION) {
            throw new WrongVersionException();
        }
        return read;
    }

    /**
     * What a gatekeeper says to a request for a job.
     *
     * @param job where the job manager is asked for it
     * @param committing whether the job manager waits for the client's word before it runs the job, and before it forgets it
     */
    record Accepted(Url job, boolean committing) {}

    /** What a gatekeeper said, or why that is no acceptance. */
    record Submission(@Nullable Accepted accepted, @Nullable Failure failure) {

        /** @param what the request, for failures: {@code submit} */
        static Submission of(Exchange exchange, String what) {
            Failure why = exchange.failure();
            if (why != null) {
                return new Submission(null, why);
            }
            try {
                Map<String, String> reply = read(exchange.body());
                int status = GramMessage.number(reply, "status");
                if (status != 0 && status != GramError.WAITING_FOR_COMMIT) {
                    return new Submission(null, refused(what, status));
                }
                Url job = contactOf(reply.get("job-manager-url"));
                return new Submission(new Accepted(job, status == GramError.WAITING_FOR_COMMIT), null);
            } catch (GramMessage.MalformedMessageException e) {
                return new Submission(null, malformed(what));
            } catch (WrongVersionException e) {
                return new Submission(null, refused(what, GramError.VERSION_MISMATCH));
            }
        }
    }

    private static Url contactOf(@Nullable String url) throws GramMessage.MalformedMessageException {
        try {
            Url uri = Url.of(String.valueOf(url));
            if (uri.port() > 0 && uri.host() != null) {
                return uri;
            }
        } catch (IllegalArgumentException notAUri) {
            // said below
        }
        throw new GramMessage.MalformedMessageException("no job contact");
    }

    /** Says why a job manager did not do what it was asked for; {@code null}: it did. */
    static @Nullable Failure failureOf(Exchange exchange, String what) {
        Failure why = exchange.failure();
        if (why != null) {
            return why;
        }
        try {
            int code = GramMessage.number(read(exchange.body()), "failure-code");
            return code == 0 ? null : refused(what, code);
        } catch (GramMessage.MalformedMessageException | WrongVersionException e) {
            return malformed(what);
        }
    }

    /** Says that something was refused, by the name of the error. */
    static Failure refused(String what, int code) {
        return Failure.ofService(what + ": " + GramError.named(code));
    }

    /** Says that an answer was no message of GRAM. */
    static Failure malformed(String what) {
        return refused(what, GramError.HTTP_UNPACK_FAILED);
    }
}
