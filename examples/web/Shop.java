import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.FailedCallException;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.JourneyContext;
import org.diperf.core.spi.JourneyStep;

/**
 * A user of the shop of ShopService.java, as code: {@code diperf run Shop.java}. Logs in when there is no token or it has run out, looks
 * at pages until something is in stock, and orders it with a signature.
 */
public final class Shop implements JavaJourney {

    private static final JourneyStep LOG_IN = JourneyStep.named("log-in")
            .with("method", "POST")
            .with("path", "/login")
            .with("form", Map.of("user", "${users.name}", "password", "${users.password}"))
            .capture("token", "json:/token");

    private static final JourneyStep LIST = JourneyStep.named("list")
            .with("path", "/items?page=${page}")
            .check("json:/page", "${page}");

    private static final JourneyStep ORDER = JourneyStep.named("order")
            .with("method", "POST")
            .with("path", "/orders")
            .with("headers", Map.of("Authorization", "Bearer ${token}", "X-Signature", "${signature}"))
            .with("body", "${order}")
            .check("status", "201")
            .check("json:/user", "${users.name}");

    private static final Pattern IN_STOCK =
            Pattern.compile("\"id\": ([0-9]+), \"price\": [0-9]+, \"stock\": [1-9]");

    private static final int PAGES = 3;
    private static final int ORDERS_OF_A_TOKEN = 10;

    /** Each user has an instance of this class, so its fields are the user's. */
    private int ordersLeft;

    @Override
    public String experiment() {
        return """
                target: http://127.0.0.1:8085
                service:
                  start: exec java ShopService.java 8085 shop-log.csv
                  deploy: [ ShopService.java ]
                  ready: log:ready on port
                load: { clients: 20, run-for: 10s }
                data: { users: { file: users.csv, give: one-per-client } }
                client: { plugin: http, with: { headers: { Authorization: "Bearer ${token}" } } }
                thresholds: [ journeys.shop.failed < 1%, requests.order.response.p99 < 1s ]
                """;
    }

    @Override
    public List<JourneyStep> steps() {
        return List.of(LOG_IN, LIST, ORDER);
    }

    @Override
    public List<String> values() {
        return List.of("page", "order", "signature");
    }

    @Override
    public void go(JourneyContext user) throws Exception {
        if (ordersLeft == 0) {
            user.call(LOG_IN);
            ordersLeft = ORDERS_OF_A_TOKEN;
        }
        RandomGenerator random = user.random();
        for (int i = 0; i < PAGES; i++) {
            user.set("page", String.valueOf(random.nextInt(1, 100)));
            Matcher item = IN_STOCK.matcher(list(user).body());
            user.think(Duration.ofMillis(random.nextInt(5, 20)));
            if (item.find()) {
                order(user, item.group(1));
                return;
            }
        }
        throw new IllegalStateException("nothing in stock");
    }

    private static Answer list(JourneyContext user) throws FailedCallException {
        try {
            return user.call(LIST);
        } catch (FailedCallException tokenRanOut) {
            user.call(LOG_IN);
            return user.call(LIST);
        }
    }

    private void order(JourneyContext user, String item) throws Exception {
        String order = "{\"item\": " + item + "}";
        user.set("order", order);
        user.set("signature", signed(order));
        user.call(ORDER);
        ordersLeft--;
    }

    private static String signed(String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("an example's key".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }
}
