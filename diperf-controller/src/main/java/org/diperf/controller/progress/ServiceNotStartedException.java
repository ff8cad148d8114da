package org.diperf.controller.progress;

/** A run that could not begin because the service under test that it was to start ended, or was not ready in time. */
public final class ServiceNotStartedException extends RunFailedException {

    /** Makes one with its reason. */
    public ServiceNotStartedException(String message) {
        super(message);
    }

    @Override
    public ServiceNotStartedException saying(String message) {
        return new ServiceNotStartedException(message);
    }
}
