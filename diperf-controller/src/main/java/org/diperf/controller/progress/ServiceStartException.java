package org.diperf.controller.progress;

/** A run that could not begin because the service under test that it was to start ended, or was not ready in time. */
public final class ServiceStartException extends RunFailedException {

    /** Makes one with its reason. */
    public ServiceStartException(String message) {
        super(message);
    }

    @Override
    public ServiceStartException saying(String message) {
        return new ServiceStartException(message);
    }
}
