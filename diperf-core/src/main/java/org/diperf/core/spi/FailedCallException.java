package org.diperf.core.spi;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown by a client whose call failed, to say whose fault that was; what other exceptions tell is understood by {@link Failure#of}. */
public class FailedCallException extends IOException {

    private final transient Failure failure;

    /** @param failure why the call failed; its kind is the message */
    public FailedCallException(Failure failure) {
        this(failure, null);
    }

    /**
     * @param failure why the call failed; its kind is the message
     * @param cause of the failure, where an exception told of it
     */
    public FailedCallException(Failure failure, @Nullable Throwable cause) {
        super(failure.kind(), cause);
        this.failure = failure;
    }

    /** Says why the call failed. */
    public Failure failure() {
        return failure;
    }
}
