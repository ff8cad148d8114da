import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * A service whose limits are known, for figures: four workers; an answer takes 8 ms of a worker, or, one in ten, 30 ms; greeting
 * a new connection takes 60 ms of a worker; who finds more than 150 waiting is turned away with 503. Workers sleep, so that it
 * needs hardly any processor. Usage: java PoolServer.java [PORT]
 */
public final class PoolServer {

    private static final Semaphore WORKERS = new Semaphore(4, true);
    private static final byte[] OK = answer("200 OK", "done\n");
    private static final byte[] BUSY = answer("503 Service Unavailable", "busy\n");

    public static void main(String[] args) throws IOException {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 23090;
        double factor = args.length > 1 ? Double.parseDouble(args[1]) : 1;
        try (ServerSocket server = new ServerSocket(port, 4096, InetAddress.getByName("127.0.0.1"))) {
            while (true) {
                Socket socket = server.accept();
                Thread thread = new Thread(null, () -> serve(socket, factor), "connection", 128 * 1024);
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private static void serve(Socket socket, double factor) {
        Random random = new Random(socket.getPort());
        try (socket) {
            socket.setTcpNoDelay(true);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            boolean greeted = false;
            while (in.readLine() != null) {
                for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                    // Headers say nothing that matters here.
                }
                if (WORKERS.getQueueLength() > 150) {
                    out.write(BUSY);
                    continue;
                }
                double millis = (random.nextInt(10) == 0 ? 30 : 8) * Math.exp(0.15 * random.nextGaussian());
                work(factor * (greeted ? millis : millis + 60));
                greeted = true;
                out.write(OK);
            }
        } catch (IOException | InterruptedException ended) {
            // The client is gone.
        }
    }

    private static void work(double millis) throws InterruptedException {
        WORKERS.acquire();
        try {
            Thread.sleep((long) millis, (int) ((millis - Math.floor(millis)) * 999_999));
        } finally {
            WORKERS.release();
        }
    }

    private static byte[] answer(String status, String body) {
        return ("HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
