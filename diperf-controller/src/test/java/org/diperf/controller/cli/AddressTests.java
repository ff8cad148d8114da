package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class AddressTests {

    private static final Predicate<String> NO_FILE = name -> false;
    private static final Predicate<String> HOSTS = Set.of("example.org", "10.example.org")::contains;
    private static final Predicate<String> NOBODY_ASKS = name -> {
        throw new AssertionError("asked for the host " + name);
    };

    @ParameterizedTest
    @ValueSource(strings = {"http://a/", "HTTPS://a", "time://127.0.0.1:9", "my+scheme://x"})
    void whatHasASchemeIsLeftAsItIs(String url) throws UsageException {
        assertThat(Address.url(url, NO_FILE, NOBODY_ASKS)).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost/orders?id=1",
                "localhost:8080",
                "127.0.0.1:8080/path",
                "127.0.0.1",
                "[::1]:8080/",
                "[::1]",
                "orders:8080",
                "orders.yml:8080"
            })
    void whatCanOnlyBeAnAddressIsOneOfHttp(String address) throws UsageException {
        assertThat(Address.url(address, NO_FILE, NOBODY_ASKS)).isEqualTo("http://" + address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.org", "example.org/x", "10.example.org/?a=b"})
    void aNameThatAHostHasIsItsAddress(String address) throws UsageException {
        assertThat(Address.url(address, NO_FILE, HOSTS)).isEqualTo("http://" + address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders.yml",
                "my.folder/orders.yaml",
                "orders.JSON",
                "orders",
                "a/b",
                "./x",
                "../example.org",
                "a b",
                ""
            })
    void otherNamesAreThoseOfFiles(String name) throws UsageException {
        assertThat(Address.url(name, NO_FILE, NOBODY_ASKS)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "localhost:8080", "example.org/x"})
    void aFileGoesBeforeAHostOfItsName(String name) throws UsageException {
        assertThat(Address.url(name, name::equals, NOBODY_ASKS)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"orders.ym, http://orders.ym", "exmaple.org/x, http://exmaple.org/x"})
    void aNameThatIsNeitherIsToldAsBoth(String name, String url) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Address.url(name, NO_FILE, HOSTS))
                .withMessageContainingAll(name + ": no such file, and no host", "check the spelling", url);
    }

    @Test
    void aSchemeWinsOverAFileOfThatName() throws UsageException {
        assertThat(Address.url("http://a/", name -> true, NOBODY_ASKS)).isEqualTo("http://a/");
    }
}
