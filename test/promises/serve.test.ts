/** What docs/promises.md promises of `serve`: a walk, as a user starts it. The other commands: commands.test.ts. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { start } from '../support/process.ts';
import { freshFolder } from '../support/world.ts';

test('`serve` prints what to open, a line for each request and delivery, and at its end where the state is.', async () => {
  const data = join(freshFolder(), 'data');
  const served = start('serve', '--port', '0', '--inspector-port', '0', '--data', data);
  onTestFinished(() => void served.process.kill('SIGKILL'));
  const greeting = await served.output('Press Ctrl+C to stop.');
  expect(greeting).toMatch(/^Open → http:\/\/127\.0\.0\.1:\d+\/#token=\S+$/m);
  const [, apiUrl = ''] = /API base URL +(\S+)/.exec(greeting) ?? [];
  const post = (path: string, body: string) =>
    fetch(apiUrl + path, {
      method: 'POST',
      headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
      body,
    });
  await post('/webhooks', '{"url":"http://127.0.0.1:9/","events":["sms.subscribed"]}');
  await post('/subscriptions', '{"user":{"phone":"(555) 555-0123"},"signUpSourceId":"100001"}');
  await post('/subscriptions', '{"user":{"phone":"+15555550177"},"signUpSourceId":"100001"}');
  const printed = await served.output('→ sms.subscribed');
  expect(printed).toMatch(/^\d\d:\d\d:\d\d 400 POST \/subscriptions .*subscriptions\.phone-e164 → http.*\/req_\w+$/m);
  expect(printed).toMatch(/^\d\d:\d\d:\d\d → sms\.subscribed retrying http:\/\/127\.0\.0\.1:9\/ /m);
  served.process.kill('SIGINT');
  expect((await served.ended).stdout).toContain(`Ended. Everything is saved in ${data}; `);
});
