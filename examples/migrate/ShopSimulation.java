import static io.gatling.javaapi.core.CoreDsl.*;
import static io.gatling.javaapi.http.HttpDsl.*;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

public class ShopSimulation extends Simulation {

    ScenarioBuilder shop = scenario("shop")
            .feed(csv("users.csv").circular())
            .exec(http("log-in").post("/login")
                    .formParam("user", "#{name}")
                    .formParam("password", "#{password}")
                    .check(jsonPath("$.token").saveAs("token")))
            .exec(session -> session.set("page", 1 + (int) (9 * Math.random())))
            .exec(http("list").get("/items?page=#{page}")
                    .header("Authorization", "Bearer #{token}")
                    .check(jsonPath("$.items[4].price").ofInt().gt(0))
                    .check(jsonPath("$.items[0].id").saveAs("item")))
            .exec(http("order").post("/orders")
                    .header("Authorization", "Bearer #{token}")
                    .body(StringBody("{\"item\": #{item}}"))
                    .check(status().is(201)))
            .pause(Duration.ofMillis(100));

    {
        setUp(shop.injectClosed(constantConcurrentUsers(20).during(10)))
                .protocols(http.baseUrl("http://127.0.0.1:8085").shareConnections())
                .assertions(details("order").responseTime().percentile(95).lt(500), global().failedRequests().percent().lt(1.0));
    }
}
