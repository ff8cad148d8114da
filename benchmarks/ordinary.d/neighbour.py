"""Takes half of a processor, in bursts of 1 to 20 ms."""
import random
import time

while True:
    burst = random.uniform(0.001, 0.02)
    end = time.monotonic() + burst
    while time.monotonic() < end:
        pass
    time.sleep(burst)
