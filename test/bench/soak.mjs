// Sends mixed calls of the API at a bounded rate for `ms`, from a separate process, with ids that do not repeat. Prints
// one line of JSON a minute: p50 and p99 of the milliseconds that an answer took, and the number of wrong answers.
import { Agent, request } from 'node:http';

const { apiUrl, perSecond, ms, minuteMs } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: 20 });
const headers = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };
const calls = [
  () => ['GET', '/me', null, 200],
  (n) => ['POST', '/events/custom', { type: 'Order Shipped', externalEventId: `soak-${n}`, user: toUser(n) }, 200],
  (n) => ['POST', '/subscriptions', { user: toUser(n), signUpSourceId: '100001' }, 202],
  () => ['GET', subscribed ? `/subscriptions?phone=${encodeURIComponent(subscribed)}` : '/me', null, 200],
  () => ['GET', '/product-catalog/uploads', null, 200],
  () => ['POST', '/events/custom', { type: '' }, 400],
];
// People come back, so that the state does not grow without end.
const toUser = (n) => ({ phone: `+1312${String(2_000_000 + (n % 20_000))}` });

let [sent, answered, wrong] = [0, 0, 0];
/** The phone of a person who has subscribed. */
let subscribed = null;
let times = [];
const one = () => {
  const number = sent++;
  const [method, path, body, wanted] = calls[number % calls.length](number);
  const began = performance.now();
  const call = request(apiUrl + path, { method, agent, headers }, (answer) => {
    answer.resume();
    answer.on('end', () => {
      answered++;
      times.push(performance.now() - began);
      if (answer.statusCode !== wanted) wrong++;
      if (wanted === 202) subscribed = body.user.phone;
    });
  });
  call.end(body === null ? undefined : JSON.stringify(body));
};

const began = performance.now();
let minute = 1;
const turn = () => {
  const passed = Math.min(ms, performance.now() - began);
  // A late burst is caught up, but a server that falls behind is not loaded further.
  const due = Math.floor((passed / 1000) * perSecond) - sent;
  for (let left = Math.min(due, 2 * perSecond - (sent - answered)); left > 0; left--) one();
  if (passed >= minute * minuteMs) {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share) => sorted[Math.floor(sorted.length * share)] ?? null;
    console.log(JSON.stringify({ minute, count: times.length, p50: at(0.5), p99: at(0.99), wrong }));
    times = [];
    minute++;
  }
  if (passed < ms || answered < sent) setTimeout(turn, 10);
  else agent.destroy();
};
turn();
