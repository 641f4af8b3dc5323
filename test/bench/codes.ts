import { median, report, startBaseline, startSandpiper, type Server } from './harness.ts';

/** Measures 200,000 discount codes in one request against koa-body + Ajv + Set. */
export async function benchCodes(rounds = 7): Promise<void> {
  const [ours, bare] = [await startSandpiper(), await startBaseline()];
  const day = 86_400_000;
  try {
    const pairs: { mine: number; its: number; cpu: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const codes = Array.from(
        { length: 200_000 },
        (_code, at) => `R${round}-${at.toString(36).toUpperCase().padStart(8, '0')}`,
      );
      const from = Date.UTC(2027, 0, 1) + round * day;
      const dated = {
        codes,
        distributionStart: new Date(from).toISOString(),
        distributionStop: new Date(from + day).toISOString(),
      };
      // New data each round, because the baseline keeps nothing either.
      await fetch(`${ours.inspectorUrl}/control/reset`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ours.token}`, 'content-type': 'application/json' },
        body: '{"world":"demo"}',
      });
      const its = await send(bare, '/codes', { codes });
      const mine = await send(ours, '/coupons/coupon-pool/54100/create', dated);
      if (round > 0) pairs.push({ mine: mine.ms, its: its.ms, cpu: mine.cpu / its.cpu });
    }
    report(
      '200,000 codes against koa-body + Ajv + Set, time',
      median(pairs.map(({ mine, its }) => mine / its)),
      { atMost: 2 },
      `${median(pairs.map(({ mine }) => mine)).toFixed(0)} ms against ${median(pairs.map(({ its }) => its)).toFixed(0)} ms`,
      { limit: 'JSON.parse alone 0.15×' },
    );
    report('200,000 codes against koa-body + Ajv + Set, CPU', median(pairs.map(({ cpu }) => cpu)), { atMost: 2 });
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}

async function send(server: Server, path: string, body: object): Promise<{ ms: number; cpu: number }> {
  const text = JSON.stringify(body);
  const [before, began] = [server.cpu(), performance.now()];
  const answer = await fetch(server.apiUrl + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: text,
  });
  await answer.arrayBuffer();
  const ms = performance.now() - began;
  if (answer.status !== 202) throw new Error(`${path} answered ${answer.status}.`);
  return { ms, cpu: server.cpu() - before };
}
