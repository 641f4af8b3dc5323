// B0: a bare Koa + @koa/router + koa-body + Ajv app that keeps only the newest body. Not bundled, like most such apps.
// Prints its port; SERVE=router leaves koa-body and Ajv out.
import { Router } from '@koa/router';
import Koa from 'koa';

const app = new Koa();
const router = new Router();
router.get('/v1/me', (ctx) => {
  ctx.body = {
    applicationName: 'Bare',
    companyName: 'Bare Co.',
    companyId: 'MDc6Q29tcGFueTI',
    contactEmail: 'a@b.c',
    attentiveDomainName: 'bare.attn.tv',
  };
});

if (process.env.SERVE !== 'router') {
  const { koaBody } = await import('koa-body');
  const { Ajv } = await import('ajv');
  const ajv = new Ajv();
  const user = {
    type: 'object',
    properties: { phone: { type: 'string', pattern: '^\\+[1-9]\\d{6,14}$' }, email: { type: 'string' } },
  };
  const event = ajv.compile({
    type: 'object',
    required: ['type', 'user'],
    properties: { type: { type: 'string' }, user, properties: { type: 'object' }, occurredAt: { type: 'string' } },
  });
  const subscription = ajv.compile({
    type: 'object',
    required: ['user'],
    properties: { user, signUpSourceId: { type: 'string' } },
  });
  const codes = ajv.compile({
    type: 'object',
    required: ['codes'],
    properties: { codes: { type: 'array', items: { type: 'string', maxLength: 256 } } },
  });
  let last;
  const take = (validate, status, answer) => (ctx) => {
    if (!validate(ctx.request.body)) ctx.throw(400, 'invalid');
    last = ctx.request.body;
    ctx.status = status;
    ctx.body = answer(last);
  };
  const body = koaBody({ jsonLimit: '16mb' });
  router.post(
    '/v1/events/custom',
    body,
    take(event, 200, () => ''),
  );
  router.post(
    '/v1/subscriptions',
    body,
    take(subscription, 202, ({ user: who }) => ({ user: who, subscriptionResponses: [] })),
  );
  router.post(
    '/v1/codes',
    body,
    take(codes, 202, (sent) => String(new Set(sent.codes).size)),
  );
}

app.use(router.routes());
const server = app.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => console.log(server.address().port));
process.once('SIGTERM', () => process.exit());
