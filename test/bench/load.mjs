// A load generator in a separate process: keeps `connections` requests running for `ms`, then prints one line of JSON
// with the count, the answers that were not the expected status, the number after the last one that was sent, and the
// latencies' percentiles in milliseconds.
import { Agent, request } from 'node:http';

const { url, method, headers, bodies, connections, ms, expect, first } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const latencies = [];
let wrong = 0;
let next = first;
const end = performance.now() + ms;

const one = () =>
  new Promise((resolve, reject) => {
    // $n never repeats; $p is one of a thousand returning people.
    const body = bodies[next++ % bodies.length]
      ?.replaceAll('$n', String(next).padStart(7, '0'))
      .replaceAll('$p', String(next % 1000).padStart(7, '0'));
    const started = performance.now();
    const sent = request(
      url,
      {
        method,
        agent,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => {
          latencies.push(performance.now() - started);
          if (answer.statusCode !== expect) wrong++;
          resolve();
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

await Promise.all(
  Array.from({ length: connections }, async () => {
    while (performance.now() < end) await one();
  }),
);
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
console.log(JSON.stringify({ count: latencies.length, wrong, next, p50: at(0.5), p99: at(0.99), max: at(1) }));
agent.destroy();
