import { got } from 'got';
import { got as got13 } from 'got-13';
import got11 from 'got-11';

const url = 'https://api.attentivemobile.com/v1/me';
const retry = { limit: 1, statusCodes: [401], calculateDelay: ({ attemptCount }) => (attemptCount > 1 ? 0 : 1) };
const throwHttpErrors = false;

/** Three calls of a version, the first of which is refused twice. The line of each ends in a comment with its name. */
const versions = {
  'got 11': async () => {
    await got11(url, { retry }).catch(() => {}); // retried
    await Promise.all([
      got11.get(`${url}?a`, { throwHttpErrors }), // at the same time
      got11.get(`${url}?b`, { throwHttpErrors }), // as another
    ]);
  },
  'got 13': async () => {
    await got13(url, { retry }).catch(() => {}); // retried
    await Promise.all([
      got13.get(`${url}?a`, { throwHttpErrors }), // at the same time
      got13.get(`${url}?b`, { throwHttpErrors }), // as another
    ]);
  },
  'got 14': async () => {
    await got(url, { retry }).catch(() => {}); // retried
    await Promise.all([
      got.get(`${url}?a`, { throwHttpErrors }), // at the same time
      got.get(`${url}?b`, { throwHttpErrors }), // as another
    ]);
  },
};

await versions[process.argv[2]]();
