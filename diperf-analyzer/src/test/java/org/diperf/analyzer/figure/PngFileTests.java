package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PngFileTests {

    @ParameterizedTest
    @CsvSource({"1,1", "3,2", "701,433"})
    void theJdkReadsWhatWasDrawn(int width, int height) throws IOException {
        BufferedImage drawn = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < width * height; i++) {
            drawn.setRGB(i % width, i / width, random.nextInt() & 0xffffff);
        }
        BufferedImage read = ImageIO.read(new ByteArrayInputStream(PngFile.of(drawn)));
        assertThat(read.getWidth()).isEqualTo(width);
        assertThat(read.getHeight()).isEqualTo(height);
        int different = Arrays.mismatch(
                read.getRGB(0, 0, width, height, null, 0, width), drawn.getRGB(0, 0, width, height, null, 0, width));
        assertThat(different).as("the first pixel that is another").isEqualTo(-1);
    }

    @Test
    void aPictureOfAnotherKindIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PngFile.of(new BufferedImage(1, 1, BufferedImage.TYPE_BYTE_GRAY)))
                .withMessage("Expected an image of TYPE_INT_RGB, got type 10");
    }
}
