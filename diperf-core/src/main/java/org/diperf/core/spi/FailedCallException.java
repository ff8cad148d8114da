package org.diperf.core.spi;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown by a client to say whose fault a failed call was. Other exceptions are classified by {@link Failure#of}. */
public class FailedCallException extends IOException {

    private final transient Failure failure;

    /** @param failure why the call failed; its kind is the message */
    public FailedCallException(Failure failure) {
        this(failure, null);
    }

    /**
     * @param failure why the call failed; its kind is the message
     * @param the exception that caused the failure, if any
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
