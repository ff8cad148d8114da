package org.diperf.controller.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A service as a process of its own: {@code GET /N} is answered by N bytes, in one write, without a wait. Its argument is the
 * port; it listens on all addresses of the host that it runs on.
 */
final class PageService {

    private PageService() {}

    /** Returns the shell command that starts it. */
    static String command(int port) throws Exception {
        Path classes = Path.of(PageService.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return "exec " + Command.java() + " -Xmx64m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp " + classes + " "
                + PageService.class.getName() + " " + port;
    }

    public static void main(String[] arguments) throws IOException {
        try (ServerSocket server = new ServerSocket(Integer.parseInt(arguments[0]), 1024)) {
            while (true) {
                Socket socket = server.accept();
                new Thread(() -> answer(socket), "page-service").start();
            }
        }
    }

    private static void answer(Socket socket) {
        try (socket;
                BufferedReader from =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
            socket.setTcpNoDelay(true);
            String wanted = "";
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                wanted = line.startsWith("GET ") ? line.split(" ")[1].substring(1) : wanted;
                if (line.isEmpty()) {
                    int bytes = Integer.parseInt(wanted);
                    byte[] head = ("HTTP/1.1 200 OK\r\nContent-Length: " + bytes + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII);
                    byte[] answer = new byte[head.length + bytes];
                    System.arraycopy(head, 0, answer, 0, head.length);
                    socket.getOutputStream().write(answer);
                }
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }
}
