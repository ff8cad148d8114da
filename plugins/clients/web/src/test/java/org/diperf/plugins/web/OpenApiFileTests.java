package org.diperf.plugins.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.diperf.core.spi.StarterPlugin.Draft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class OpenApiFileTests {

    private static final String HEAD = "openapi: 3.0.3\nservers: [{ url: 'http://api.example/v1' }]\n";
    private static final String SWAGGER = "swagger: '2.0'\nhost: api.example\nbasePath: /v1\n";

    @TempDir
    Path folder;

    private Draft draft(String text, String target) throws IOException {
        Path file = Files.writeString(folder.resolve("api.yml"), text);
        return Drafts.of(new OpenApiStarter(), file.toString(), Map.of(), target);
    }

    private Draft draft(String text) throws IOException {
        return draft(text, null);
    }

    private JsonNode with(String text) throws IOException {
        return Drafts.steps(draft(text)).at("/0/with");
    }

    @Test
    void aDescriptionIsAStepForEachOperation() throws IOException {
        JsonNode steps = Drafts.steps(draft(HEAD + """
                paths:
                  /items:
                    post:
                      operationId: items/add
                      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Item" } } } }
                    get:
                      parameters: [{ name: page, in: query, required: true, schema: { type: integer, default: 3 } }]
                  "/items/{id}":
                    parameters: [{ name: id, in: path, required: true, schema: { type: integer, minimum: 5 } }]
                    get: { summary: one }
                components:
                  schemas:
                    Item:
                      type: object
                      properties:
                        id: { type: integer, readOnly: true }
                        name: { type: string, example: tea }
                        tags: { type: array, items: { type: string, enum: [red, blue] } }
                        kind: { allOf: [{ type: string, enum: [a, b] }] }
                        next: { $ref: "#/components/schemas/Item" }
                """));
        assertThat(steps.at("/0/with/path").asString()).isEqualTo("/v1/items?page=3");
        assertThat(steps.at("/0/name").asString()).isEqualTo("items");
        assertThat(steps.at("/1/with/path").asString()).isEqualTo("/v1/items/5");
        assertThat(steps.at("/1/name").asString()).isEqualTo("items-id");
        assertThat(steps.at("/2/with/method").asString()).isEqualTo("POST");
        assertThat(steps.at("/2/name").asString()).isEqualTo("items-add");
        assertThat(steps.at("/2/with/body").asString())
                .isEqualTo("{\"name\":\"tea\",\"tags\":[\"red\"],\"kind\":\"a\"}");
    }

    /** As JSONSchemaProps of Kubernetes does, in eleven properties; and as any two do that hold each other. */
    @Test
    void aSchemaThatHoldsItselfEnds() throws IOException {
        String self = IntStream.range(0, 11)
                .mapToObj(i -> "p" + i + ": { $ref: '#/components/schemas/S' }")
                .collect(Collectors.joining(", "));
        assertThat(with(HEAD
                                + "paths: { /s: { post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/S' } } } } } } }\n"
                                + "components: { schemas: { S: { type: object, properties: { " + self
                                + ", title: { type: string } } } } }\n")
                        .at("/body")
                        .asString())
                .isEqualTo("{\"title\":\"text\"}");
        int many = 14;
        String all = IntStream.range(0, many)
                .mapToObj(i -> "S" + i + ": { type: object, properties: { "
                        + IntStream.range(0, many)
                                .mapToObj(k -> "p" + k + ": { $ref: '#/components/schemas/S" + k + "' }")
                                .collect(Collectors.joining(", "))
                        + " } }")
                .collect(Collectors.joining(", "));
        Draft cut = draft(HEAD
                + "paths: { /s: { post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/S0' } } } } } } }\n"
                + "components: { schemas: { " + all + " } }\n");
        assertThat(cut.comments()).contains("The body of POST /s is cut after 500 values: complete it.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "multipart/form-data: { schema: { properties: { title: { type: string, example: t }, file: { type: string, format: binary }, more: { type: array, items: { type: string, format: binary } } } } } | {'multipart': {'title': 't', 'file': '@file', 'more': '@more'}}",
                "multipart/form-data: { schema: { properties: { f: { contentMediaType: image/png } } }, encoding: { f: { contentType: image/png } } } | {'multipart': {'f': '@f;type=image/png'}}",
                "application/octet-stream: { schema: { type: string, format: binary } } | {'headers': {'Content-Type': 'application/octet-stream'}, 'body': '@post-a.body'}",
                "application/xml: { schema: { type: object, properties: { a: { type: string } } } } | {'headers': {'Content-Type': 'application/xml'}, 'body': '@post-a.body'}",
                "application/xml: { example: <a/> } | {'headers': {'Content-Type': 'application/xml'}, 'body': '<a/>'}",
                "text/plain: { example: hello } | {'headers': {'Content-Type': 'text/plain'}, 'body': 'hello'}",
                "text/plain: { schema: { type: string } } | {'headers': {'Content-Type': 'text/plain'}, 'body': 'text'}",
                "application/json: { schema: { properties: { id: { type: integer, readOnly: true }, title: { type: string } } }, examples: { one: { value: { title: Bug } } } } | {'headers': {'Content-Type': 'application/json'}, 'body': '{\\'title\\':\\'Bug\\'}'}",
                "application/json: { examples: { one: { $ref: '#/components/examples/E' } } } | {'headers': {'Content-Type': 'application/json'}, 'body': '{\\'e\\':1}'}",
                "application/merge-patch+json: { schema: { type: ['null', integer], minimum: 3 } } | {'headers': {'Content-Type': 'application/merge-patch+json'}, 'body': '3'}",
                "application/x-www-form-urlencoded: { schema: { properties: { a: { type: string, example: b c }, n: { type: array, items: { type: integer } } } } } | {'form': {'a': 'b c', 'n': '1'}}",
                "'*/*': { schema: { $ref: '#/components/schemas/S' } } | {'headers': {'Content-Type': 'application/json'}, 'body': '{\\'s\\':\\'mine\\'}'}",
                "application/json: { schema: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/S' }] } } | {'headers': {'Content-Type': 'application/json'}, 'body': '{\\'s\\':\\'mine\\'}'}",
            })
    void aBodyIsOfItsType(String content, String with) throws IOException {
        JsonNode made = with(
                HEAD + "paths: { /a: { post: { requestBody: { content: { " + content + " } } } } }\n"
                        + "components: { schemas: { S: { properties: { s: { const: mine } } } }, examples: { E: { value: { e: 1 } } } }\n");
        JsonNode expected = Drafts.json(with);
        expected.properties()
                .forEach(each -> assertThat(made.at("/" + each.getKey())).isEqualTo(each.getValue()));
        assertThat(made.size()).as("%s", made).isEqualTo(expected.size() + 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "in: query, schema: { type: array, items: { enum: [a b] } } | /v1/a?n=a%20b",
                "in: query, example: [1, 2] , schema: {} | /v1/a?n=1&n=2",
                "in: query, example: [1, 2] , schema: {}, explode: false | /v1/a?n=1,2",
                "in: query, example: [1, 2] , schema: {}, style: pipeDelimited, explode: false | /v1/a?n=1!2",
                "in: query, example: [1, 2] , schema: {}, style: spaceDelimited | /v1/a?n=1%202",
                "in: query, example: { x: 1, y: 2 } , schema: {}, style: deepObject | /v1/a?n[x]=1&n[y]=2",
                "in: query, example: { x: 1, y: 2 } , schema: {} | /v1/a?x=1&y=2",
                "in: query, content: { application/json: { example: { x: 1 } } } | /v1/a?n=%7B%22x%22%3A1%7D",
                "in: query, examples: { e: { value: first } }, schema: {} | /v1/a?n=first",
                "in: query, schema: { type: integer, minimum: 7 } | /v1/a",
            })
    void aParameterHasItsStyle(String parameter, String path) throws IOException {
        assertThat(with(HEAD + "paths: { /a: { get: { parameters: [{ name: n, required: "
                                + !parameter.contains("minimum") + ", " + parameter + " }] } } }\n")
                        .at("/path")
                        .asString())
                .isEqualTo(path.replace('!', '|'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "example: [1, 2] | /v1/1,2",
                "example: { x: 1, y: 2 } | /v1/x,1,y,2",
                "example: { x: 1, y: 2 }, explode: true | /v1/x=1,y=2",
                "example: [1, 2], style: label, explode: true | /v1/.1.2",
                "example: [1, 2], style: matrix | /v1/;n=1,2",
                "example: [1, 2], style: matrix, explode: true | /v1/;n=1;n=2",
            })
    void aPartOfAPathHasItsStyle(String parameter, String path) throws IOException {
        assertThat(with(HEAD + "paths: { '/{n}': { get: { parameters: [{ name: n, in: path, schema: {}, " + parameter
                                + " }] } } }\n")
                        .at("/path")
                        .asString())
                .isEqualTo(path);
    }

    @Test
    void aParameterOfAnOperationStandsInPlaceOfItsPaths() throws IOException {
        assertThat(with(HEAD + """
                paths:
                  /a:
                    parameters: [{ name: n, in: query, required: true, schema: { default: of-path } }, { name: n, in: header, required: true, schema: { default: h } }]
                    get: { parameters: [{ name: n, in: query, required: true, schema: { default: own } }, { name: c, in: cookie, required: true, example: d }] }
                """))
                .isEqualTo(Drafts.json("{'path': '/v1/a?n=own', 'headers': {'n': 'h', 'Cookie': 'c=d'}}"));
    }

    @Test
    void swaggerTwoSaysItsBodiesInParameters() throws IOException {
        assertThat(
                        with(
                                SWAGGER
                                        + "paths: { '/p/{id}': { post: { consumes: [application/x-www-form-urlencoded], parameters: ["
                                        + "{ name: id, in: path, required: true, type: integer }, { name: status, in: formData, required: true, type: string }, "
                                        + "{ name: tags, in: query, required: true, type: array, items: { type: string }, collectionFormat: multi, x-example: [a, b] }] } } }\n"))
                .isEqualTo(
                        Drafts.json("{'method': 'POST', 'path': '/v1/p/1?tags=a&tags=b', 'form': {'status': 'text'}}"));
        assertThat(with(SWAGGER + "paths: { /p: { post: { consumes: [multipart/form-data], parameters: ["
                        + "{ name: f, in: formData, required: true, type: file }] } } }\n"))
                .isEqualTo(Drafts.json("{'method': 'POST', 'path': '/v1/p', 'multipart': {'f': '@f'}}"));
        assertThat(
                        with(
                                SWAGGER
                                        + "paths: { /p: { put: { parameters: [{ name: b, in: body, schema: { properties: { a: { type: boolean } } } }] } } }\n"))
                .isEqualTo(
                        Drafts.json(
                                "{'method': 'PUT', 'path': '/v1/p', 'headers': {'Content-Type': 'application/json'}, 'body': '{\\'a\\':true}'}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "{ url: 'https://{env}.h:{port}/v2/', variables: { env: { default: test }, port: { default: '8443' } } } | - | https://test.h:8443 | /v2/a",
                "{ url: /v2 } | http://mine:1 | http://mine:1 | /v2/a",
                "{ url: 'https://h/v2' } | http://mine:1/ | http://mine:1 | /v2/a",
                "{ url: 'https://h/v2' } | http://mine:1/own/ | http://mine:1 | /own/a",
                "{ url: '//h/v2' } | http://mine:1 | http://mine:1 | /v2/a",
                "{ url: 'https://h' } | - | https://h | /a",
            })
    void aServerIsWhereTheFileOrItsReaderSays(String server, String target, String origin, String path)
            throws IOException {
        Draft draft = draft("openapi: 3.1.0\nservers: [" + server + "]\npaths: { /a: { get: {} } }\n", target);
        assertThat(Drafts.tree(draft).at("/target").asString()).isEqualTo(origin);
        assertThat(Drafts.steps(draft).at("/0/with/path").asString()).isEqualTo(path);
    }

    @Test
    void aServerOfAPathIsItsOwn() throws IOException {
        JsonNode steps = Drafts.steps(
                draft(HEAD + "paths: { /a: { get: {} }, /b: { servers: [{ url: 'http://other/x' }], get: {} } }\n"));
        assertThat(steps.at("/1/target").asString()).isEqualTo("http://other");
        assertThat(steps.at("/1/with/path").asString()).isEqualTo("/x/b");
        assertThatThrownBy(() -> draft("openapi: 3.0.0\nservers: [{ url: /v2 }]\npaths: { /a: { get: {} } }\n"))
                .hasMessage(
                        "expected the address of the service, got only '/v2' in the file; specify it with --target URL");
    }

    @Test
    void otherFilesAreReadWhereTheyAre() throws IOException {
        Files.writeString(
                folder.resolve("paths.yml"),
                "a: { post: { requestBody: { content: { application/json: { schema: { $ref: 'more/s.json#/S' } } } } } }\n");
        Files.createDirectories(folder.resolve("more"));
        Files.writeString(
                folder.resolve("more/s.json"),
                "{\"S\": {\"properties\": {\"t\": {\"$ref\": \"#/T\"}, \"up\": {\"$ref\": \"../paths.yml#/none\"}}}, \"T\": {\"const\": \"deep\"}}");
        Draft draft = draft(
                HEAD
                        + "paths: { /a: { $ref: './paths.yml#/a' }, /b: { $ref: 'none.yml#/b' }, /c: { $ref: 'http://x.example/c.yml' } }\n");
        assertThat(Drafts.steps(draft).at("/0/with/body").asString()).startsWith("{\"t\":\"deep\"");
        assertThat(draft.about())
                .isEqualTo(
                        "a journey of 1 of 3 requests; left out: 2 (refers to nothing that is here); 5 notes are at its head");
        assertThat(draft.comments())
                .contains(
                        "Left out: /b (refers to nothing that is here)",
                        "Not found, so left out where it is used: none.yml (no such file)",
                        "Not found, so left out where it is used: paths.yml#/none");
    }

    @Test
    void whatTheFileDoesNotSayIsSaid() throws IOException {
        Draft draft = draft(HEAD + """
                security: [{ key: [] }]
                paths: { '/{x}': { get: {} }, /b: { post: { requestBody: { content: { image/png: {} } } } }, /c: { get: { security: [] } }, /d: {} }
                components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
                """);
        assertThat(draft.about()).startsWith("a journey of 3 of 4 requests; left out: 1 (no operation); ");
        assertThat(draft.comments())
                .contains(
                        "2 operations need 'key' (apiKey, in header X-Key), which is not in the file: add it to their steps.",
                        "The path of GET /{x} has a place that no parameter describes: fill it in.")
                .anyMatch(line -> line.startsWith("The body of POST /b is read from the file post-b.body"));
    }

    @Test
    void whatDescribesNoServiceIsRefused() {
        for (String text : List.of(HEAD, HEAD + "paths: {}\n", HEAD + "webhooks: { a: { post: {} } }\n")) {
            assertThatThrownBy(() -> draft(text)).hasMessage("expected an OpenAPI 3 description with paths, got none");
        }
        assertThatThrownBy(() -> draft(HEAD + "paths: { /a: {} }\n"))
                .hasMessage("expected requests of HTTP, got none of 1: left out 1 (no operation)");
    }
}
