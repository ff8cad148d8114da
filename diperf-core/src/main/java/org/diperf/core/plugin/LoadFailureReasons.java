package org.diperf.core.plugin;

import java.util.ServiceConfigurationError;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in words of the plugin's author why a provider could not be loaded. */
final class LoadFailureReasons {

    private static final Pattern CLASS_FILE = Pattern.compile("class file version (\\d+)");
    // Class file version 45 was Java 1.1, and each release since adds one.
    private static final int BEFORE_JAVA_1 = 44;

    private LoadFailureReasons() {}

    static String of(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && wraps(cause)) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof UnsupportedClassVersionError) {
            Matcher version = CLASS_FILE.matcher(message);
            String needed = version.find()
                    ? "Java " + (Integer.parseInt(version.group(1)) - BEFORE_JAVA_1)
                    : "a newer Java (" + message + ")";
            return "needs " + needed + ", but this is Java " + Runtime.version().feature()
                    + "; compile it with --release "
                    + Runtime.version().feature();
        }
        if (cause instanceof NoClassDefFoundError || cause instanceof ClassNotFoundException) {
            return "the class " + message.replace('/', '.') + " is missing; add it to the plugin's jar";
        }
        if (cause instanceof NoSuchMethodError
                || cause instanceof NoSuchFieldError
                || cause instanceof AbstractMethodError) {
            return "was built against a different version of DiPerF or of a library: " + message + "; rebuild it";
        }
        if (cause instanceof NoSuchMethodException) {
            return "expected a public constructor without arguments, got none in "
                    + message.replaceAll("\\.<init>.*", "");
        }
        if (cause instanceof ServiceConfigurationError) {
            Matcher missing = Pattern.compile("Provider (\\S+) not found").matcher(message);
            if (missing.find()) {
                return "refers to the class " + missing.group(1) + " in META-INF/services, but does not contain it";
            }
            return message;
        }
        if (failure == cause && cause instanceof IllegalArgumentException) {
            return message;
        }
        return "its code threw " + cause;
    }

    private static boolean wraps(Throwable failure) {
        return failure instanceof ServiceConfigurationError
                || failure instanceof ExceptionInInitializerError
                || failure instanceof java.lang.reflect.InvocationTargetException;
    }
}
