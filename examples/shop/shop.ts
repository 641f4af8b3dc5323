import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uploadCatalog } from './catalog.ts';
import type { ShopConfig } from './config.ts';
import { finishInstall, installationOf, isOwnState, startInstall } from './install.ts';
import { call, PlatformError } from './platform.ts';
import { openStorage, type Installation, type Storage } from './storage.ts';
import { createEventIntake, isSigned, type OnEvent } from './webhooks.ts';

/** A running shop. */
export interface Shop {
  readonly url: string;
  readonly storage: Storage;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
}

interface Incoming {
  readonly url: URL;
  readonly raw: Buffer;
  readonly headers: IncomingMessage['headers'];
  /** What the path's pattern caught. */
  readonly caught: readonly string[];
}

type Handler = (incoming: Incoming) => Promise<Reply> | Reply;

const mostBytes = 10 * 1024 * 1024;
const stateCookie = 'shop_install';

/** Starts the shop's back end. @param onEvent what it does with each webhook event */
export async function startShop(config: ShopConfig, onEvent: OnEvent = () => {}): Promise<Shop> {
  const storage = openStorage(config.dataFile);
  if (config.apiKey !== null) storage.saveInstallation(await installationOf(config.baseUrl, config.apiKey));
  const intake = createEventIntake(storage, onEvent);
  const redirectUri = (): string => `${ownUrl()}/callback`;

  const installed = ([id = '']: readonly string[]): Installation => {
    const installation = storage.installation(decodeURIComponent(id));
    if (!installation)
      throw new PlatformError(404, `The company ${id} has not installed the shop. Open ${ownUrl()}/install.`);
    return installation;
  };

  const routes: readonly (readonly [string, RegExp, Handler])[] = [
    [
      'GET',
      /^\/install$/,
      () => {
        const { location, secret } = startInstall(config, redirectUri());
        const cookie = `${stateCookie}=${secret}; Path=/callback; Max-Age=600; HttpOnly; SameSite=Lax`;
        return { status: 302, headers: { location, 'set-cookie': cookie } };
      },
    ],
    [
      'GET',
      /^\/callback$/,
      async ({ url: { searchParams }, headers }) => {
        if (!isOwnState(searchParams.get('state'), readCookie(headers.cookie)))
          return { status: 403, body: { message: 'This installation was not begun in this browser. Open /install.' } };
        const code = searchParams.get('code');
        if (code === null) return { status: 400, body: { message: `Not installed: ${searchParams.get('error')}.` } };
        const installation = await finishInstall(config, code, redirectUri());
        storage.saveInstallation(installation);
        const { companyId, companyName } = installation;
        const forget = `${stateCookie}=; Path=/callback; Max-Age=0`;
        return { status: 200, body: { companyId, companyName }, headers: { 'set-cookie': forget } };
      },
    ],
    [
      'POST',
      /^\/companies\/([^/]+)\/subscribers$/,
      async ({ caught, raw }) => {
        const { accessToken } = installed(caught);
        const { phone, email } = readJson(raw) as { phone?: string; email?: string };
        const json = {
          user: { phone, email },
          locale: { language: 'en', country: 'US' },
          subscriptionType: 'MARKETING',
        };
        return {
          status: 202,
          body: await call(config.baseUrl, { token: accessToken, method: 'POST', path: '/subscriptions', json }),
        };
      },
    ],
    [
      'POST',
      /^\/companies\/([^/]+)\/orders$/,
      async ({ caught, raw }) => {
        const { accessToken } = installed(caught);
        const { orderId, email, items } = readJson(raw) as {
          orderId: string;
          email: string;
          items: readonly unknown[];
        };
        await call(config.baseUrl, {
          token: accessToken,
          method: 'POST',
          path: '/events/ecommerce/purchase',
          json: { user: { email }, orderId, items, occurredAt: new Date().toISOString() },
        });
        return { status: 202, body: { orderId } };
      },
    ],
    [
      'POST',
      /^\/companies\/([^/]+)\/catalog$/,
      async ({ caught, raw }) => {
        const { accessToken } = installed(caught);
        const { products } = readJson(raw) as { products: readonly unknown[] };
        const upload = await uploadCatalog(config.baseUrl, accessToken, products, config.pollMs);
        const { uploadId, status, errors, productsProcessed } = upload;
        return { status: 200, body: { uploadId, status, errors, productsProcessed } };
      },
    ],
    [
      'POST',
      /^\/webhooks$/,
      async ({ raw, headers }) => {
        if (!isSigned(raw, toText(headers['x-attentive-hmac-sha256']), config.signingKey))
          return { status: 401, body: { message: 'The signature does not fit these bytes.' } };
        await intake.take(raw, toText(headers['webhook-id']));
        return { status: 204 };
      },
    ],
    ['GET', /^\/events$/, () => ({ status: 200, body: storage.events() })],
  ];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', ownUrl());
    const found = routes.find(([method, path]) => method === request.method && path.test(url.pathname));
    const { status, body, headers } = await (found
      ? reply(found[2], request, url, (found[1].exec(url.pathname) ?? []).slice(1))
      : { status: 404, body: { message: `There is nothing at ${request.method} ${url.pathname}.` }, headers: {} });
    response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };

  const server = createServer((request, response) => {
    // The client has disconnected.
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.port, config.host, resolve);
  });
  // Not 127.0.0.1: the app is registered on the platform with a callback at localhost.
  const ownUrl = (): string => `http://localhost:${(server.address() as AddressInfo).port}`;
  const url = ownUrl();

  return {
    url,
    storage,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function reply(handle: Handler, request: IncomingMessage, url: URL, caught: readonly string[]): Promise<Reply> {
  try {
    return await handle({ url, raw: await readBody(request), headers: request.headers, caught });
  } catch (error) {
    if (error instanceof PlatformError) return { status: error.status, body: { message: error.message } };
    if (error instanceof SyntaxError) return { status: 400, body: { message: error.message } };
    return { status: 500, body: { message: error instanceof Error ? error.message : String(error) } };
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new PlatformError(413, `A body may have ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readJson(raw: Buffer): unknown {
  return JSON.parse(raw.toString('utf8'));
}

function readCookie(header: string | undefined): string | undefined {
  const cookies = (header ?? '').split(/; */).map((one) => one.split('='));
  return cookies.find(([name]) => name === stateCookie)?.[1];
}

function toText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
