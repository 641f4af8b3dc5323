import { afterAll, afterEach, beforeAll } from 'vitest';
import { defaultOptions, type EmulatorOptions } from '../../emulator/options.ts';
import { startEmulator, type Emulator } from '../../emulator/start-emulator.ts';
import type { RequestView } from '../../emulator/control/calls.ts';
import { workerUrl } from './built.ts';
import { expectConformance, expectControlConformance, expectDescribed } from './conformance.ts';
import { expectFittingRecords } from './fitting-records.ts';

export interface CallOptions {
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The bearer token; null sends none. */
  readonly key?: string | null;
  readonly query?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly body: unknown;
  /** The rule that refused the call. */
  readonly rule: string | null;
  exchange(): Promise<RequestView>;
}

export interface Sandbox {
  readonly emulator: Emulator;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  control(method: string, path: string, json?: unknown): Promise<{ readonly status: number; readonly body: never }>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** One emulator in memory on free ports, with the demo world; every reply is checked against the OpenAPI document. */
export async function startSandbox(options: Partial<EmulatorOptions> = {}): Promise<Sandbox> {
  const faults: string[] = [];
  const emulator = await startEmulator({
    ...defaultOptions,
    port: 0,
    inspectorPort: 0,
    dataDir: null,
    pace: 'instant',
    workerUrl: workerUrl(),
    onNotice: (text) => faults.push(text),
    ...options,
  });

  const control = async (method: string, path: string, json?: unknown) => {
    const url = emulator.inspectorUrl + path;
    const request = {
      method,
      headers: {
        authorization: `Bearer ${emulator.token}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    };
    const answer = await fetch(url, request);
    const text = await answer.text();
    const body = text === '' ? undefined : (JSON.parse(text) as unknown);
    await expectControlConformance(emulator, method, url, answer, body, text);
    if (answer.ok) await expectDescribed(emulator, url, request);
    if (answer.status === 500) throw new Error(`${method} ${path} failed: ${faults.join('\n') || text}`);
    return { status: answer.status, body: body as never };
  };

  return {
    emulator,
    control,
    async call(method, path, options = {}) {
      const [url, request] = toRequest(emulator, method, path, options);
      const answer = await fetch(url, request);
      const text = await answer.text();
      const parsed = parse(text);
      expectConformance(emulator, method, url, answer, parsed, text);
      if (answer.ok && !answer.headers.has('x-sandbox-rule')) await expectDescribed(emulator, url, request);
      await emulator.ownErrors.expectNone();
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        body: parsed,
        rule: answer.headers.get('x-sandbox-rule'),
        async exchange() {
          const id = answer.headers.get('x-sandbox-explain')?.split('/').at(-1) ?? emulator.recorder.all().at(-1)?.id;
          return (await control('GET', `/control/requests/${id}?reveal=true`)).body as RequestView;
        },
      };
    },
    reset: () => emulator.reset('demo'),
    close: () => emulator.close(),
  };
}

/** A call as the arguments of `fetch`. */
export function toRequest(
  { apiUrl, authUrl }: Pick<Emulator, 'apiUrl' | 'authUrl'>,
  method: string,
  path: string,
  { json, form, raw, headers = {}, key = 'sandpiper-demo-key', query }: CallOptions = {},
): readonly [url: string, request: RequestInit] {
  const root = path.startsWith('/integrations') || path.startsWith('/object-storage') || path.startsWith('/l/');
  const body =
    (raw as string | Uint8Array<ArrayBuffer> | undefined) ??
    (form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json));
  const type = form ? 'application/x-www-form-urlencoded' : json === undefined ? undefined : 'application/json';
  return [
    (root ? authUrl : apiUrl) + path + (query ? `?${new URLSearchParams(query)}` : ''),
    {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(type ? { 'content-type': type } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    },
  ];
}

/** A sandbox for the tests of one file: started before them, closed after them. */
export function useSandbox(options: Partial<EmulatorOptions> = {}): Sandbox {
  let started: Sandbox | undefined;
  const get = (): Sandbox => {
    if (!started) throw new Error('The sandbox is started before the tests run; use it inside a test.');
    return started;
  };
  beforeAll(async () => {
    started = await startSandbox(options);
  });
  afterEach(() => expectNoOwnErrors(started));
  afterEach(() => started && expectFittingRecords(started.emulator.deps.store));
  afterAll(() => started?.close());
  return {
    get emulator() {
      return get().emulator;
    },
    call: (...input) => get().call(...input),
    control: (...input) => get().control(...input),
    reset: () => get().reset(),
    close: () => get().close(),
  };
}

/** Fails the test that is ending for an internal error, but not the tests after it. */
export async function expectNoOwnErrors(sandbox: Sandbox | undefined): Promise<void> {
  try {
    await sandbox?.emulator.ownErrors.expectNone();
  } finally {
    sandbox?.emulator.ownErrors.clear();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
