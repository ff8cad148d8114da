package com.example.quotes;

import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.diperf.analyzer.result.Analysis;
import org.diperf.controller.Diperf;
import org.diperf.junit.Experiment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class QuoteServiceTest {

    private ServerSocket service;

    @BeforeEach
    void startService() throws IOException {
        service = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        new Thread(this::serve).start();
    }

    @AfterEach
    void stopService() throws IOException {
        service.close();
    }

    private void serve() {
        try {
            while (true) {
                Socket client = service.accept();
                new Thread(() -> answer(client)).start();
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void answer(Socket client) {
        try (client) {
            BufferedReader asked =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            for (String symbol = asked.readLine(); symbol != null; symbol = asked.readLine()) {
                client.getOutputStream().write((symbol + " 42.00\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException gone) {
            // The client has what it wanted.
        }
    }

    @Experiment
    void quotesComeQuickly(Diperf.Run run) throws Exception {
        Analysis result = run.target("quote://127.0.0.1:" + service.getLocalPort())
                .client(QuoteClient.class)
                .with("symbol", "ACME")
                .clients(4, ofSeconds(1))
                .threshold("failed == 0")
                .threshold(System.getProperty("goal", "response.p99 < 500ms"))
                .run();
        assertTrue(result.summary().calls().ok() > 100);
    }
}
