// Sends requests at a steady rate from a separate process: `perSecond` for `ms`, in bursts of ten milliseconds, then
// prints one line of JSON with the count and the answers that were not 200.
import { Agent, request } from 'node:http';

const { url, headers, perSecond, ms } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: 20 });
const began = performance.now();
let sent = 0;
let answered = 0;
let wrong = 0;

const one = () => {
  sent++;
  request(url, { agent, headers }, (answer) => {
    answer.resume();
    answer.on('end', () => {
      answered++;
      if (answer.statusCode !== 200) wrong++;
    });
  }).end();
};
const turn = () => {
  const passed = Math.min(ms, performance.now() - began);
  // A late burst is caught up, but a server that falls behind is not loaded further.
  const due = Math.floor((passed / 1000) * perSecond) - sent;
  const room = 2 * perSecond - (sent - answered);
  for (let left = Math.min(due, room); left > 0; left--) one();
  if (passed < ms) setTimeout(turn, 10);
  else if (answered < sent) setTimeout(turn, 10);
  else {
    console.log(JSON.stringify({ count: answered, wrong }));
    agent.destroy();
  }
};
turn();
