import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.Simulation;
import java.net.URI;
import java.time.Duration;

/** So many users, each calls again as soon as it has its answer (Gatling). */
public final class Peer extends Simulation {
    {
        URI target = URI.create(System.getProperty("target"));
        var calls = scenario("peer")
                .during(Duration.ofSeconds(Long.getLong("seconds")))
                .on(exec(http("get").get(target.getPath())));
        var protocol = http.baseUrl(target.getScheme() + "://" + target.getAuthority());
        setUp(calls.injectOpen(atOnceUsers(Integer.getInteger("users"))))
                .protocols(Integer.getInteger("version") == 2 ? protocol.enableHttp2() : protocol);
    }
}
