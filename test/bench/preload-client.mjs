// Sends requests one after the other to the host that it is given, and prints the CPU time of one in microseconds.
import http from 'node:http';

const [, , origin, style, count] = process.argv;

const ways = {
  fetch: async () => (await fetch(`${origin}/v1/me`)).text(),
  'node:http': () =>
    new Promise((resolve, reject) =>
      http.get(`${origin}/v1/me`, (answer) => answer.resume().on('end', resolve)).on('error', reject),
    ),
};

/** Sends from as deep in the call stack as programs do. */
async function deeper(depth, send) {
  await (depth === 0 ? send() : deeper(depth - 1, send));
}

const run = async (times) => {
  for (let n = 0; n < times; n++) await deeper(10, ways[style]);
};
await run(300);
const before = process.cpuUsage();
await run(Number(count));
const { user, system } = process.cpuUsage(before);
console.log((user + system) / Number(count));
process.exit();
