package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class NearestNameTests {

    private static final List<String> KNOWN = List.of("method", "path", "headers", "body", "body-file");

    @Test
    void theNearestNameIsSuggested() {
        assertThat(NearestName.suggestion("methd", KNOWN)).isEqualTo(". Did you mean 'method'?");
        assertThat(NearestName.suggestion("header", KNOWN)).isEqualTo(". Did you mean 'headers'?");
        assertThat(NearestName.suggestion("body-fiel", KNOWN)).isEqualTo(". Did you mean 'body-file'?");
    }

    @Test
    void nothingIsSuggestedWhereMoreThanAThirdOfTheLettersDiffer() {
        assertThat(NearestName.suggestion("timeout", KNOWN)).isEmpty();
        assertThat(NearestName.suggestion("patois", KNOWN)).isEqualTo("");
        assertThat(NearestName.suggestion("x", List.of())).isEmpty();
    }

    @Test
    void aShortWordThatBeginsAlikeMayDifferInTwoLetters() {
        List<String> keys = List.of("name", "target", "load", "sweep");
        assertThat(NearestName.suggestion("lode", keys)).isEqualTo(". Did you mean 'load'?");
        assertThat(NearestName.suggestion("swipe", keys)).isEqualTo(". Did you mean 'sweep'?");
        assertThat(NearestName.suggestion("code", keys)).isEmpty();
        assertThat(NearestName.suggestion("lo", keys)).isEmpty();
    }

    @Test
    void aDistanceCountsInsertionsDeletionsChangesAndSwapsOnce() {
        assertThat(NearestName.distance("", "abc")).isEqualTo(3);
        assertThat(NearestName.distance("abc", "")).isEqualTo(3);
        assertThat(NearestName.distance("same", "same")).isZero();
        assertThat(NearestName.distance("path", "paths")).isEqualTo(1);
        assertThat(NearestName.distance("path", "bath")).isEqualTo(1);
        assertThat(NearestName.distance("path", "paht")).isEqualTo(1);
        assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
    }
}
