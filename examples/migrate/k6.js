import http from 'k6/http';
import { check, sleep } from 'k6';
import { SharedArray } from 'k6/data';

const shop = 'http://127.0.0.1:8085';
const users = new SharedArray('users', () =>
  open('users.csv').trim().split('\n').slice(1).map((line) => line.split(',')));

export const options = {
  vus: 20,
  duration: '10s',
  thresholds: {
    'http_req_duration{name:order}': ['p(95)<500'],
    http_req_failed: ['rate<0.01'],
    checks: ['rate>0.99'],
  },
};

export default function () {
  const [user, password] = users[(__VU - 1) % users.length];
  const login = http.post(`${shop}/login`, { user, password }, { tags: { name: 'log-in' } });
  const headers = { Authorization: `Bearer ${login.json('token')}` };
  const page = 1 + Math.floor(9 * Math.random());
  const list = http.get(`${shop}/items?page=${page}`, { headers, tags: { name: 'list' } });
  check(list, { priced: (answer) => answer.json('items.4.price') > 0 });
  const item = JSON.stringify({ item: list.json('items.0.id') });
  const order = http.post(`${shop}/orders`, item, { headers, tags: { name: 'order' } });
  check(order, { ordered: (answer) => answer.status === 201 });
  sleep(0.1);
}
