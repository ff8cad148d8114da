package org.diperf.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import org.diperf.analyzer.result.Analysis;
import org.diperf.controller.Diperf;
import org.diperf.controller.run.SingleCall;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Param;
import org.diperf.core.spi.Text;
import org.diperf.junit.Experiment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything in one process: the service, the testers and the test. Set a breakpoint in the client and debug. */
@Timeout(60)
class GreetingExperimentTests {

    private HttpServer service;

    @BeforeEach
    void startService() throws Exception {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        service.setExecutor(Executors.newFixedThreadPool(4));
        service.createContext("/greet", exchange -> {
            byte[] answer = "hello\n".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        service.start();
    }

    @AfterEach
    void stopService() {
        service.stop(0);
    }

    private String target() {
        return "http://127.0.0.1:" + service.getAddress().getPort();
    }

    @Test
    void oneCallOfTheClientIsAnswered() throws Exception {
        SingleCall call = Diperf.client(GreetingClient.class)
                .target(target())
                .with("name", "client ${client}")
                .callOnce();
        assertThat(call.outcome()).isEqualTo("ok");
        assertThat(call.bytes()).isEqualTo(6);
    }

    @Experiment(value = "greeting.yml", client = GreetingClient.class)
    void theServiceKeepsUpWithFiftyCallsASecond(Diperf.Run run) throws Exception {
        Analysis result = run.target(target()).run();
        assertThat(result.summary().calls().ok()).isEqualTo(100);
    }

    /** The client under test: a Java client of the service, as its users have it. */
    public static final class GreetingClient implements BlockingClient {

        @Param(help = "who is greeted", or = "world")
        Text name;

        private HttpClient client;
        private URI uri;

        @Override
        public void open(Context context) {
            client = HttpClient.newHttpClient();
            uri = URI.create(context.target().resolve("/greet").text());
        }

        @Override
        public void call(Call call) throws Exception {
            HttpRequest request =
                    HttpRequest.newBuilder(uri).header("X-Name", name.of(call)).build();
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            call.bytes(response.body().length);
            if (response.statusCode() != 200) {
                call.fail("status " + response.statusCode());
            }
        }
    }
}
