import csv
import random
from itertools import cycle

from locust import HttpUser, constant, task

USERS = cycle(list(csv.DictReader(open("users.csv"))))


class Shopper(HttpUser):
    host = "http://127.0.0.1:8085"
    wait_time = constant(0.1)

    def on_start(self):
        self.user = next(USERS)

    @task
    def shop(self):
        form = {"user": self.user["name"], "password": self.user["password"]}
        login = self.client.post("/login", form, name="log-in")
        headers = {"Authorization": "Bearer " + login.json()["token"]}
        page = f"/items?page={random.randint(1, 9)}"
        with self.client.get(page, headers=headers, name="list", catch_response=True) as items:
            if not items.json()["items"][4]["price"] > 0:
                items.failure("no price")
        item = {"item": items.json()["items"][0]["id"]}
        with self.client.post("/orders", json=item, headers=headers, name="order", catch_response=True) as order:
            if order.status_code != 201:
                order.failure("not ordered")
