package org.diperf.controller.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Set;
import org.diperf.controller.page.AccessControl.Asked;
import org.diperf.controller.page.AccessControl.Refusal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets in. */
@Timeout(10)
class AccessControlTests {

    private static final String HOST = "127.0.0.1:5665";
    private static final String ORIGIN = "http://" + HOST;

    private final AccessControl here =
            new AccessControl(Set.of(HOST, "localhost:5665"), true, 5665, "acting", "looking");
    private final AccessControl open = new AccessControl(Set.of("10.0.0.7:5665"), false, 5665, "acting", "looking");

    private static @Nullable Integer status(AccessControl gate, Asked asked) {
        Refusal refusal = gate.refuse(asked);
        return refusal == null ? null : (Integer) refusal.status();
    }

    private @Nullable Integer get(String host, @Nullable String origin, @Nullable String site, @Nullable String mode) {
        return status(here, new Asked("GET", host, origin, site, mode, null, null));
    }

    private @Nullable Integer post(String host, @Nullable String origin, @Nullable String token) {
        return status(here, new Asked("POST", host, origin, "same-origin", "cors", token, null));
    }

    @Test
    void onThisMachineEverybodyMayLook() {
        assertThat(get(HOST, null, null, null)).isNull();
        assertThat(get("LOCALHOST:5665", null, "none", "navigate")).isNull();
        assertThat(get(HOST, ORIGIN, "same-origin", "cors")).isNull();
    }

    @Test
    void aForeignNameThatLeadsHereGetsNothing() {
        assertThat(get("evil.example:5665", null, null, null)).isEqualTo(421);
        assertThat(get("127.0.0.1:1", null, null, null)).isEqualTo(421);
        assertThat(get("127.0.0.1", null, null, null)).isEqualTo(421);
        assertThat(status(here, new Asked("GET", null, null, null, null, null, null)))
                .isEqualTo(421);
        assertThat(post("evil.example:5665", "http://evil.example:5665", "acting"))
                .isEqualTo(421);
    }

    @Test
    void aPageOfAnotherOriginGetsNothing() {
        assertThat(get(HOST, "http://evil.example", null, null)).isEqualTo(403);
        assertThat(get(HOST, "null", null, null)).isEqualTo(403);
        assertThat(get(HOST, null, "cross-site", "no-cors")).isEqualTo(403);
        // A service on another port of this machine.
        assertThat(get(HOST, null, "same-site", "cors")).isEqualTo(403);
        assertThat(get(HOST, "http://127.0.0.1:8080", "same-site", "cors")).isEqualTo(403);
        // A link there may still be followed.
        assertThat(get(HOST, null, "cross-site", "navigate")).isNull();
    }

    @Test
    void whatChangesSomethingWantsTheTokenAndTheOrigin() {
        assertThat(post(HOST, ORIGIN, "acting")).isNull();
        assertThat(post(HOST, ORIGIN, null)).isEqualTo(403);
        assertThat(post(HOST, ORIGIN, "")).isEqualTo(403);
        assertThat(post(HOST, ORIGIN, "acting ")).isEqualTo(403);
        assertThat(post(HOST, ORIGIN, "looking")).isEqualTo(403);
        assertThat(post(HOST, null, "acting")).isEqualTo(403);
        assertThat(post(HOST, "http://evil.example", "acting")).isEqualTo(403);
    }

    @Test
    void otherMethodsAreRefused() {
        assertThat(status(here, new Asked("PUT", HOST, ORIGIN, null, null, "acting", null)))
                .isEqualTo(405);
        assertThat(status(here, new Asked("OPTIONS", HOST, null, null, null, null, null)))
                .isEqualTo(405);
    }

    @Test
    void whereOthersCanReachItLookingWantsATokenOfItsOwn() {
        assertThat(status(open, new Asked("GET", "10.0.0.7:5665", null, null, null, null, null)))
                .isEqualTo(403);
        assertThat(status(open, new Asked("GET", "10.0.0.7:5665", null, null, null, null, "acting")))
                .isEqualTo(403);
        assertThat(status(open, new Asked("GET", "10.0.0.7:5665", null, null, null, null, "looking")))
                .isNull();
        String origin = "http://10.0.0.7:5665";
        assertThat(status(open, new Asked("POST", "10.0.0.7:5665", origin, null, null, null, "looking")))
                .isEqualTo(403);
    }

    @Test
    void tokensAreNotTheSameTwiceAndStandInTheLinkAlone() throws Exception {
        var loopback = InetAddress.getByName("127.0.0.1");
        String one = AccessControl.of("127.0.0.1", loopback, 5665).link(loopback);
        String other = AccessControl.of("127.0.0.1", loopback, 5665).link(loopback);
        assertThat(one).startsWith("http://127.0.0.1:5665/#").isNotEqualTo(other);
        assertThat(one.substring(one.indexOf('#') + 1)).hasSize(22);
        var all = InetAddress.getByName("0.0.0.0");
        assertThat(AccessControl.of("0.0.0.0", all, 5665).link(all))
                .contains("/?look=")
                .contains("#");
    }

    /** Debian has the machine's name lead to 127.0.1.1. */
    @Test
    void theLinkLeadsToTheAddressThatIsListenedAt() throws Exception {
        var bound = InetAddress.getByName("127.0.1.1");
        AccessControl gate = AccessControl.of("mine", bound, 5665);
        assertThat(gate.link(bound)).startsWith("http://127.0.1.1:5665/#");
        assertThat(status(gate, new Asked("GET", "127.0.1.1:5665", null, null, null, null, null)))
                .isNull();
    }
}
