package org.diperf.core.contract;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Says why a test of a contract was skipped, which Maven only counts. */
final class SkipReasons implements TestWatcher {

    @Override
    public void testAborted(ExtensionContext test, Throwable cause) {
        System.out.println("skipped " + test.getRequiredTestClass().getSimpleName() + "."
                + test.getRequiredTestMethod().getName() + ": "
                + String.valueOf(cause.getMessage()).replace("Assumption failed: ", ""));
    }
}
