package org.diperf.controller.cli;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells the address of a service from the name of a file, as hands type both. */
final class Address {

    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*");
    private static final Pattern AUTHORITY = Pattern.compile(
            "(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(:[0-9]{1,5})?([/?].*)?", Pattern.DOTALL);
    private static final Pattern SURELY_A_HOST = Pattern.compile("localhost|\\[.*|[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern DOMAIN = Pattern.compile("[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*\\.[A-Za-z]{2,}");
    private static final Pattern EXPERIMENT = Pattern.compile("(?i).*\\.(ya?ml|json)", Pattern.DOTALL);

    private Address() {}

    /**
     * Reads what a user gave.
     *
     * @param isFile whether something of a name is on the disk: it goes before a host of that name
     * @param isHost whether a name is one of a host; asked only where the text could as well be a misspelt file
     * @return the URL; {@code null}: the name of a file
     * @throws UsageException when it could be either and is neither
     */
    static @Nullable String url(String given, Predicate<String> isFile, Predicate<String> isHost)
            throws UsageException {
        if (URL.matcher(given).matches()) {
            return given;
        }
        Matcher parts = AUTHORITY.matcher(given);
        if (isFile.test(given) || !parts.matches()) {
            return null;
        }
        String host = parts.group(1);
        String url = "http://" + given;
        if (parts.group(2) != null || SURELY_A_HOST.matcher(host).matches()) {
            return url;
        }
        if (!DOMAIN.matcher(host).matches() || EXPERIMENT.matcher(given).matches()) {
            return null;
        }
        if (!isHost.test(host)) {
            throw new UsageException(given + ": no such file, and no host '" + host
                    + "' either; check the spelling, or enter the full URL: " + url);
        }
        return url;
    }
}
