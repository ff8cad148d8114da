package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What browsers make of a URL, by the WHATWG's standard and its own tests ({@code urltestdata.json} of web-platform-tests). */
class UrlTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "http://127.0.0.1:8080 → 127.0.0.1:8080 → /",
                "http://my_service:8080/a → my_service:8080 → /a",
                "HTTP://Shop.Example/A → shop.example → /A",
                "http://bücher.example/ → xn--bcher-kva.example → /",
                "http://b%C3%BCcher.example/ → xn--bcher-kva.example → /",
                "http://ann:p%40ss@host:81/x → host:81 → /x",
                "http://a@b@c/ → c → /",
                "http://[2001:DB8::1]:81/ → [2001:db8::1]:81 → /",
                "http://2130706433/ → 127.0.0.1 → /",
                "http://0x7f.1/ → 127.0.0.1 → /",
                "http://0300.168.0.1/ → 192.168.0.1 → /",
                "http://1.2.3.4.example/ → 1.2.3.4.example → /",
                "http://h/{id}/^ → h → /%7Bid%7D/%5E",
                "http://h/e/a[1].txt → h → /e/a[1].txt",
                "http://h/100% → h → /100%",
                "http://h/a b|c → h → /a%20b|c",
                "http://h/ä?ä → h → /%C3%A4?%C3%A4",
                "http://h/a?filter={%22x%22:1} → h → /a?filter={%22x%22:1}",
                "http://h/b?y=a^b`c`|d\\e[]% → h → /b?y=a^b`c`|d\\e[]%",
                "http://h?q='<>\" → h → /?q=%27%3C%3E%22",
                "http://h/a#top?x → h → /a",
                "http://h/a?b#c → h → /a?b",
                "http://h/a?b?c/../d → h → /a?b?c/../d",
                "http:\\\\h\\a\\b → h → /a/b",
                "http:h/a → h → /a",
                "http:////h/a → h → /a",
                "http://h:/a → h → /a",
                "http://h/../../login → h → /login",
                "http://h/a/./b/%2E%2e/c/.. → h → /a/",
                "tcp://db-1:5432 → db-1:5432 → ''",
                "srm://h:8443/srm?SFN=/a → h:8443 → /srm?SFN=/a",
            })
    void readsHostAndPath(String text, String authority, String path) {
        Url url = Url.of(text);

        assertThat(url.authority()).isEqualTo(authority);
        assertThat(url.pathAndQuery()).isEqualTo(path);
    }

    @Test
    void whatHasNoHostKeepsItsOwnRules() {
        Url url = Url.of("jdbc:postgresql://ann@db:5432/shop?ssl=true");

        assertThat(url.scheme()).isEqualTo("jdbc");
        assertThat(url.host()).isNull();
        assertThat(url.text()).isEqualTo("jdbc:postgresql://ann@db:5432/shop?ssl=true");
        assertThat(url.pathAndQuery()).isEqualTo("postgresql://ann@db:5432/shop?ssl=true");
        assertThat(Url.of("jdbc:sqlserver://h;name={a b}").path()).isEqualTo("sqlserver://h;name={a b}");
    }

    @Test
    void blanksAtTheEndsAndLineBreaksCountForNothing() {
        assertThat(Url.of(" http://h/a\nb\t \r\n").text()).isEqualTo("http://h/ab");
    }

    @Test
    void userAndPasswordAreDecodedAndNotShown() {
        Url url = Url.of("http://ann:p%40s:s@host/");

        assertThat(url.user()).isEqualTo("ann");
        assertThat(url.password()).isEqualTo("p@s:s");
        assertThat(url).hasToString("http://ann:***@host/");
        assertThat(Url.of("http://ann@host/").password()).isNull();
        assertThat(Url.of("http://host:80/a:b@c")).hasToString("http://host:80/a:b@c");
        assertThatThrownBy(() -> Url.of("http://ann:p@ss@host:x/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("ss@")
                .hasMessageContaining("'http://ann:***@host:x/'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "127.0.0.1:8080/ → it has no scheme such as http://",
                "shop → it has no scheme",
                "http: → there is nothing after its scheme",
                "http:// → it has no host",
                "http://:80/ → it has no host",
                "http://127.0.0.1:99999/ → expected a port from 1 to 65535, got 99999",
                "http://h:8a/ → expected a port from 1 to 65535, got 8a",
                "http://h:-1/ → expected a port from 1 to 65535, got -1",
                "http://::1/ → expected HOST or HOST:PORT, IPv6 addresses in brackets, got '::1'",
                "http://[::g]/ → expected an IPv6 address in brackets, got '[::g]'",
                "http://[h]/ → expected an IPv6 address in brackets, got '[h]'",
                "http://a b/ → a host name cannot contain ' '",
                "http://a^b/ → a host name cannot contain '^'",
                "http://a%00b/ → a host name cannot contain '·'",
                "http://1.2.3.256/ → expected an IPv4 address, got '1.2.3.256'",
                "http://09.1/ → expected an IPv4 address, got '09.1'",
            })
    void saysWhatIsWrong(String text, String why) {
        assertThatThrownBy(() -> Url.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("expected a URL such as http://127.0.0.1:8080/, got '" + text + "': ")
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "../login → http://a@h:81/login",
                "../../../login → http://a@h:81/login",
                "x/./y?z → http://a@h:81/b/x/y?z",
                "/x#y → http://a@h:81/x",
                "?x → http://a@h:81/b/c?x",
                "'' → http://a@h:81/b/c?q",
                "#top → http://a@h:81/b/c?q",
                "//other/x → http://other/x",
                "\\\\other\\x → http://other/x",
                "https://other → https://other/",
                "http:x → http://a@h:81/b/x",
                "a b → http://a@h:81/b/a%20b",
                "{x}^ → http://a@h:81/b/%7Bx%7D%5E",
            })
    void resolvesReferencesAsBrowsersDo(String reference, String expected) {
        Url resolved = Url.of("http://a@h:81/b/c?q").resolve(reference);

        String user = resolved.user().isEmpty() ? "" : resolved.user() + "@";
        assertThat(resolved.scheme() + "://" + user + resolved.authority() + resolved.pathAndQuery())
                .isEqualTo(expected);
    }

    @Test
    void aReferenceToAHostWithoutAPathBeginsAtItsRoot() {
        assertThat(Url.of("tcp://h").resolve("x").text()).isEqualTo("tcp://h/x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%2Fb%20ä%", "a%2Gb%2"})
    void decodesOnlyWhatIsEncoded(String text) {
        assertThat(Url.decoded(text)).isEqualTo(text.replace("%2F", "/").replace("%20", " "));
    }
}
