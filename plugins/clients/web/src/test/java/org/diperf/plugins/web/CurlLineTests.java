package org.diperf.plugins.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.core.spi.StarterPlugin.Draft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Lines of curl; {@code ImportedRequestsTests} of the controller holds what is sent for them against curl itself. */
class CurlLineTests {

    private static Draft draft(String line) throws Exception {
        return Drafts.of(new CurlStarter(), line, Map.of());
    }

    private static JsonNode with(String line) throws Exception {
        return Drafts.steps(draft(line)).at("/0/with");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "curl http://h/a?b=1 | http://h | /a?b=1 | | ",
                "curl -X PUT 'https://h:8443/x' -H 'Content-Type: application/json' --data-raw '{\"a\": 1}' | https://h:8443 | /x | PUT | {\"a\": 1}",
                "curl -sS --compressed \"http://h/a b\" -d x=1 --data x=2 | http://h | /a%20b | POST | x=1&x=2",
                "curl -G h/find -d q=1 | http://h | /find?q=1 | | ",
                "curl $'http://h/\\u0041' --json '{}' -k | http://h | /A | POST | {}",
                "curl -HX-A:1 -XDELETE http://h/ | http://h | / | DELETE | ",
                "curl -g 'http://h/a?filter={%22x%22:1}&q=100%' | http://h | /a?filter={%22x%22:1}&q=100% | | ",
                "curl -d '' h | http://h | / | POST | ",
                "curl --data-binary @- h -d 1 < x | | | |",
                "curl --json '{\"a\":' --json ' 1}' h | http://h | / | POST | {\"a\": 1}",
                "curl h --data-binary @o.json | http://h | / | POST | @o.json",
                "curl h --data-raw @o.json -H content-type:text/plain | http://h | / | POST | @@o.json",
                "curl -T a.txt h/up/ | http://h | /up/a.txt | PUT | @a.txt",
                "curl -T a.txt 'h?x=1' | http://h | /a.txt?x=1 | PUT | @a.txt",
                "curl h -H content-type:text/plain -d $'caf\\xc3\\xa9 \\303\\251 \\t.' | http://h | / | POST | caf\u00e9 \u00e9 \t.",
                "curl 'h?x=1' --url-query 'n=a b' | http://h | /?x=1&n=a+b | | "
            })
    void aLineIsAStep(String line, String target, String path, String method, String body) throws Exception {
        if (target == null) {
            assertThatThrownBy(() -> draft(line)).hasMessageContaining("standard input");
            return;
        }
        JsonNode with = with(line);
        assertThat(Drafts.tree(draft(line)).at("/target").asString()).isEqualTo(target);
        assertThat(with.at("/path").asString()).isEqualTo(path);
        assertThat(with.at("/method").asString("")).isEqualTo(method == null ? "" : method);
        assertThat(with.at("/body").asString("")).isEqualTo(body == null ? "" : body);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "curl h -d x=1 | {'form': {'x': '1'}}",
                "curl h --data-urlencode 'n=a b+c' --data-urlencode '=x=y' | {'headers': {'Content-Type': 'application/x-www-form-urlencoded'}, 'body': 'n=a+b%2Bc&x%3Dy'}",
                "curl h -F 'title=\"My; scan\"' -F 'scan=@/srv/a.png;type=image/x-mine' -F raw=@a.bin | {'multipart': {'title': 'My; scan', 'scan': '@/srv/a.png;type=image/x-mine', 'raw': '@a.bin;type=application/octet-stream'}}",
                "curl h -F at=@a.txt --form-string '@=@x' | {'multipart': {'at': '@a.txt', '@': '@@x'}}",
                "curl h -d a -H 'Content-Type:' -H 'Expect:' | {'body': 'a'}",
                "curl http://ann:p%40ss@h/ -X POST | {'headers': {'Authorization': 'Basic YW5uOnBAc3M='}}",
                "curl h -X POST -u ann:pw -H 'authorization: mine' | {'headers': {'authorization': 'mine'}}",
                "curl h -X POST -b 'a=1; b' -b c=2 -r 5 -e 'http://r/;auto' | {'headers': {'Cookie': 'a=1; b;c=2', 'Range': 'bytes=5-', 'Referer': 'http://r/'}}",
                "curl h -X POST -H 'Host: shop' -H 'Pragma: no-cache' -H 'If-None-Match: \"x\"' -H 'Empty;' | {'headers': {'Empty': '', 'Host': 'shop', 'If-None-Match': '\"x\"', 'Pragma': 'no-cache'}}",
            })
    void whatItCarriesIsKept(String line, String with) throws Exception {
        JsonNode made = with(line);
        JsonNode expected = Drafts.json(with.replace("\"x\"", "\\'x\\'"));
        expected.properties()
                .forEach(each -> assertThat(made.at("/" + each.getKey()))
                        .as(each.getKey() + " of " + line)
                        .isEqualTo(each.getValue()));
        assertThat(made.at("/method").asString()).isEqualTo("POST");
        assertThat(made.size()).as("%s", made).isEqualTo(expected.size() + 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "curl -k -L h | {'insecure': true, 'follow': 50}",
                "curl -L --max-redirs 3 -c jar h | {'cookies': 'per-iteration', 'follow': 3}",
                "curl -L --no-location h | {}",
                "curl --compressed h | {'compressed': true}",
                "curl --http2 https://h | {'version': '2'}",
                "curl --http2-prior-knowledge --http1.1 h | {}",
                "curl -x proxy h | {'proxy': 'http://proxy:1080'}",
                "curl --cacert ca.pem -E me.pem --key me.key --tlsv1.3 https://h | {'ca': 'ca.pem', 'cert': 'me.pem', 'key': 'me.key', 'tls-versions': ['TLSv1.3']}",
                "curl --interface 10.0.0.1 h | {'source-addresses': ['10.0.0.1']}",
                "curl -sSfvi -o /dev/null -w '%{http_code}' --retry 3 -m5 --sil h | {}",
            })
    void whatIsOfTheClientIsItsParameter(String line, String with) throws Exception {
        JsonNode made = Drafts.tree(draft(line)).at("/client/with");
        assertThat(made.isMissingNode() ? Drafts.json("{}") : made).isEqualTo(Drafts.json(with));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "curl h/1 h/2",
                "curl h/1 --next h/2",
                "curl h/1; curl h/2",
                "curl -s h/1 | jq . && curl h/2",
                "# both\n$ curl h/1 2>/dev/null > out\n\n$ curl \\\n h/2 &",
            })
    void eachUrlIsARequest(String lines) throws Exception {
        Draft draft = draft(lines);
        assertThat(Drafts.steps(draft)
                        .valueStream()
                        .map(step -> step.at("/with/path").asString()))
                .containsExactly("/1", "/2");
    }

    @Test
    void optionsAreOfTheirOwnRequest() throws Exception {
        JsonNode steps = Drafts.steps(draft("curl -X PUT -L h/1 --next -k -d '[]' -H content-type:a/b h/2"));
        assertThat(steps.at("/0/with")).isEqualTo(Drafts.json("{'method': 'PUT', 'path': '/1', 'follow': 50}"));
        assertThat(steps.at("/1/with"))
                .isEqualTo(
                        Drafts.json(
                                "{'method': 'POST', 'path': '/2', 'headers': {'content-type': 'a/b'}, 'body': '[]', 'insecure': true}"));
    }

    @Test
    void aHeaderIsSentOnceHoweverItsNameIsWritten() {
        String line = "curl 'http://h/x' -A mine -H 'user-agent: Browser 1' -H 'content-type: application/json' ";
        for (String body : List.of("--data-raw '{}'", "--json '{}'")) {
            assertThat(CurlLine.read(line + body).requests().get(0).headers().entrySet().stream()
                            .filter(field -> !field.getKey().equals("Accept")))
                    .extracting(field -> field.getKey().toLowerCase(Locale.ROOT) + ": " + field.getValue())
                    .containsExactly("content-type: application/json", "user-agent: Browser 1");
        }
    }

    @Test
    void anEncodingThatHttpCannotUnpackIsTold() throws Exception {
        Draft draft = draft("curl h -H 'accept-encoding: gzip, br' --compressed");
        assertThat(draft.comments()).anyMatch(line -> line.contains("gzip, deflate") && line.contains("'gzip, br'"));
        assertThat(draft.about()).isEqualTo("a journey of 1 request; a note is at its head");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "curl | expected a curl command with a URL",
                "curl http://h/ -H | expected a value after -H",
                "curl http://h/ -d 'a | expected a closing '",
                "curl h -d @file | write --data-binary @file",
                "curl h -d @- | standard input",
                "curl h --data-urlencode n@f | name=content",
                "curl h -F 'a=<f' | write the content",
                "curl h -F 'a=@f;filename=g' | with a file of that name",
                "curl h -F 'a={};type=application/json' -F b=@f | a type for files only",
                "curl h -d a -F b=c | expected one of --data",
                "curl h -b cookies.txt | write the cookies themselves",
                "curl h -u ann | --user ann:PASSWORD",
                "curl h --digest -u a:b | got '--digest'; write the header",
                "curl h -n | write --user",
                "curl h -K f | write its options on the line",
                "curl h -4 | got '-4'; write the address",
                "curl h --resolve a:1:b | write the address",
                "curl h -U a:b | write --proxy http://NAME:PASSWORD@HOST:PORT",
                "curl h -x socks5://p | write --proxy http://HOST:PORT",
                "curl h --http2 | --http2-prior-knowledge",
                "curl h --foo | got '--foo'; drop it if",
                "curl h -H 'User-Agent:' | give it a value",
                "curl h -H 'Transfer-Encoding: chunked' -d x | drop it",
                "curl h -H @f | write the header itself",
                "curl 'h/[1-3]' | --globoff",
                "curl ftp://h/ | ftp:, not HTTP",
                "curl h -H \"A: $TOKEN\" | ${secret:env:TOKEN}",
                "curl h -d $(date) | got $(;",
                "curl h -d $'\\xff' | expected text in UTF-8",
                "curl h; rm x | expected commands of curl only, got 'rm'",
                "wget h | expected a line that begins with curl, got 'wget h'",
                "fetch(\"http://h/\", {}); | in a browser choose Copy as cURL",
                "Invoke-WebRequest -Uri \"http://h/$x\" | got 'Invoke-WebRequest",
                "curl ^\"http://h/^\" | choose Copy as cURL (bash)",
            })
    void whatCannotBeKeptIsRefusedByName(String line, String message) {
        assertThatThrownBy(() -> draft(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected")
                .hasMessageContaining(message);
    }
}
