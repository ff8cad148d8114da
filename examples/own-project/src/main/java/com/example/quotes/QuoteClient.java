package com.example.quotes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Param;
import org.diperf.core.spi.Text;

/** Asks a service for quotes, over a connection that it keeps. */
public final class QuoteClient implements BlockingClient {

    @Param(help = "requested instrument", or = "ACME")
    Text symbol;

    private Socket socket;
    private BufferedReader answers;

    @Override
    public void open(Context context) throws IOException {
        socket = new Socket(context.target().host(), context.target().port());
        socket.setTcpNoDelay(true);
        answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    @Override
    public void call(Call call) throws IOException {
        socket.getOutputStream().write((symbol.of(call) + "\n").getBytes(StandardCharsets.US_ASCII));
        String answer = answers.readLine();
        if (answer == null || !answer.startsWith(symbol.of(call))) {
            call.fail("no quote");
            return;
        }
        call.bytes(answer.length() + 1);
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
    }
}
