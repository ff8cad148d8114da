package org.diperf.plugins.lib.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import org.diperf.core.contract.RecorderProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class RttSamplerTests {

    private static final long SECOND = 1_000_000_000L;

    private final RecorderProbe recorder = new RecorderProbe();
    private final RttSampler sampler = new RttSampler(recorder);
    private final Channel channel = new EmbeddedChannel();

    @Test
    void thereIsAtMostOneSampleASecond() {
        sampler.offer(channel, -5, 2_000_000);
        sampler.offer(channel, SECOND - 6, 3_000_000);
        sampler.offer(channel, SECOND - 5, 4_500_000);
        assertThat(recorder.observations())
                .containsExactly(
                        new RecorderProbe.Observed(RttSampler.RTT, -5, 2),
                        new RecorderProbe.Observed(RttSampler.RTT, SECOND - 5, 4.5));
    }

    @Test
    void aSampleOfNothingIsNoneAndDoesNotKeepOutTheNext() {
        sampler.offer(channel, 0, 0);
        sampler.offer(channel, 1, 1_000_000);
        assertThat(recorder.observations()).containsExactly(new RecorderProbe.Observed(RttSampler.RTT, 1, 1));
    }
}
