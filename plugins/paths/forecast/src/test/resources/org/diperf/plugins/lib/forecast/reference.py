"""Computes NWS's forecasts as its C source does, ring buffers, time stamps, faults and all: what BatteryTests compares with.

    python3 reference.py > forecasts.csv

A line: series, value, the forecasts that stand after it: 18 primaries, 16 derived, total MSE, total MAE, and the totals' mean errors.
"""
import math
import random
import sys

NONE = None


class Ring:
    """fbuff.c: counts from top to bottom; never holds more than size - 2."""

    def __init__(self, size):
        self.size, self.head, self.tail = size, size - 1, 0
        self.cells = [0.0] * size

    def put(self, value):
        self.cells[self.head] = value
        self.head = (self.head - 1) % self.size
        if self.head == self.tail:
            self.tail = (self.tail - 1) % self.size

    def count(self):
        return (self.tail - self.head) % self.size - 1

    def at(self, back):
        return self.cells[(self.head + 1 + back) % self.size]


def half(n):
    return int(n / 2)  # towards zero, as in C


def insert(values, stamps, value, stamp, size):
    """The oldest of the first size cells is overwritten, and the value moved to its place."""
    at = min(range(size), key=lambda i: stamps[i])
    values[at], stamps[at] = value, stamp
    cells = sorted(zip(values[:size], stamps[:size]), key=lambda cell: cell[0])
    values[:size] = [cell[0] for cell in cells]
    stamps[:size] = [cell[1] for cell in cells]


def middle(values, stamps, size, now, window):
    last = 0
    if window == 1:
        return values[0]
    seen = 0
    i = 0
    while i < size:
        if stamps[i] > now - window:
            seen += 1
            if seen == half(window):
                last = i
        if seen == half(window) + 1:
            break
        i += 1
    if window == half(window) * 2:
        return (values[last] + values[i]) / 2.0
    return values[i]


class Last:
    def __init__(self, series):
        self.series = series

    def learn(self, value):
        pass

    def say(self):
        return self.series.at(0) if self.series.count() else NONE


class Mean:
    def __init__(self, series):
        self.total = self.n = 0.0

    def learn(self, value):
        self.total += value
        self.n += 1

    def say(self):
        return self.total / self.n if self.n else NONE


class Smooth:
    def __init__(self, series, gain):
        self.series, self.gain, self.last = series, gain, 0.0

    def learn(self, value):
        moved = self.last + self.gain * (value - self.last)
        self.last = self.series.at(0) if self.series.count() <= 1 else moved

    def say(self):
        return self.last


class Median:
    def __init__(self, series, size, trim=NONE):
        self.series, self.size, self.trim = series, size, trim
        self.values, self.stamps = [0.0] * 100, [-1.0] * 100
        self.n = self.now = 0

    def learn(self, value):
        self.n = min(self.series.count(), self.size)
        self.now += 1
        insert(self.values, self.stamps, value, self.now, self.n)

    def say(self):
        if self.n < 1:
            return NONE
        if self.trim is not NONE:
            left = int(self.trim * self.n)
            return sum(self.values[left:self.n - left]) / (self.n - 2 * left)
        at = half(self.n)
        return (self.values[at - 1] + self.values[at]) / 2.0 if self.n == 2 * at else self.values[at]


class Adaptive:
    def __init__(self, series, win, low, high, step):
        self.series, self.win, self.high, self.step = series, win, high, step
        self.values, self.stamps = [0.0] * 100, [-1.0] * 100
        self.n, self.now = 0, 1

    def find(self, window):
        return middle(self.values, self.stamps, self.n, self.now, window)

    def learn(self, value):
        self.n = min(self.series.count(), self.high)
        self.now += 1
        insert(self.values, self.stamps, value, self.now, self.n)
        win = self.win if self.n > self.win else self.n
        equal = self.find(win)
        if self.n < self.high:
            return
        low = win - 1 if win - self.step < 0 else self.step
        high = self.n - win - 1 if win + self.step > self.n else self.step
        less = (value - self.find(low)) ** 2
        more = (value - self.find(high)) ** 2
        equal = (value - equal) ** 2
        if less < equal:
            if less < more:
                win -= 1
            elif more < equal:
                win += 1
        elif more < equal:
            if more < less:
                win += 1
            elif less < equal:
                win -= 1
        self.win = win

    def say(self):
        if self.n == 0:
            return NONE
        return self.find(self.n if self.n < self.high else self.win)


class Scored:
    def __init__(self):
        self.se = self.ae = self.n = 0.0
        self.squares, self.absolutes = Ring(100), Ring(100)

    def score(self, forecast, value):
        if forecast is NONE:
            return
        error = abs(forecast - value)
        self.ae += error
        self.se += error * error
        self.n += 1
        self.squares.put(self.se)
        self.absolutes.put(self.ae)


class Battery:
    def __init__(self):
        s = self.series = Ring(1000)
        self.forecasters = [Last(s), Mean(s)] + [Smooth(s, g) for g in (.05, .10, .15, .20, .30, .40, .50, .75)]
        self.forecasters += [Median(s, 31), Median(s, 5), Median(s, 31, 0.0), Median(s, 5, 0.0)]
        self.forecasters += [Median(s, 31, 0.30), Median(s, 51, 0.30)]
        self.forecasters += [Adaptive(s, 10, 5, 21, 1), Adaptive(s, 30, 21, 51, 5)]
        self.scored = [Scored() for _ in self.forecasters]
        windows = (1, 5, 10, 20, 30, 50, 100)
        self.derived = [(0, True), (0, False)] + [(w, True) for w in windows] + [(w, False) for w in windows]
        self.derived_scored = [Scored() for _ in self.derived]
        self.total_mse, self.total_mae = Scored(), Scored()

    def best(self, window, squared):
        chosen, least = 0, math.inf
        for i, scored in enumerate(self.scored):
            if scored.n == 0:
                continue
            ring = scored.squares if squared else scored.absolutes
            window = min(window, ring.count() - 1)
            if window == 0:
                error = ring.at(0) / scored.n
            else:
                error = (ring.at(0) - ring.at(window)) / window
            if error < least:
                chosen, least = i, error
        return self.forecasters[chosen].say()

    def total(self, squared):
        if self.series.count() == 0:
            return NONE
        chosen, least = 0, math.inf
        for i, scored in enumerate(self.derived_scored):
            ring = scored.squares if squared else scored.absolutes
            if ring.count() == 0:
                continue
            error = ring.at(0) / ring.count()
            if error < least:
                chosen, least = i, error
        forecast = self.best(*self.derived[chosen])
        return self.series.at(0) if forecast is NONE else forecast

    def take(self, value):
        known = self.total(True) is not NONE
        self.total_mse.score(self.total(True), value)
        self.total_mae.score(self.total(False), value)
        if known:
            said = [self.best(*each) for each in self.derived]
            for scored, forecast in zip(self.derived_scored, said):
                scored.score(forecast, value)
        for scored, forecaster in zip(self.scored, self.forecasters):
            scored.score(forecaster.say(), value)
        self.series.put(value)
        for forecaster in self.forecasters:
            forecaster.learn(value)

    def standing(self):
        mse = self.total_mse.se / self.total_mse.n if self.total_mse.n else 0.0
        mae = self.total_mae.ae / self.total_mae.n if self.total_mae.n else 0.0
        return ([each.say() for each in self.forecasters] + [self.best(*each) for each in self.derived]
                + [self.total(True), self.total(False), mse, mae])


def series():
    chance = random.Random(21)
    yield "steady", [90 + chance.gauss(0, 3) for _ in range(180)]
    yield "regimes", [(80 if i // 60 % 2 else 20) + chance.gauss(0, 1) for i in range(180)]
    level = 50.0
    walk = []
    for _ in range(180):
        level += chance.gauss(0, 2)
        walk.append(level)
    yield "walk", walk
    yield "spikes", [10.0 if chance.random() < 0.9 else 200 * chance.random() for _ in range(180)]
    yield "same", [7.0] * 60


def main():
    for name, values in series():
        battery = Battery()
        for value in values:
            value = round(value, 6)
            battery.take(value)
            print(",".join([name, repr(value)] + ["%.12g" % f for f in battery.standing()]))


if __name__ == "__main__":
    sys.exit(main())
