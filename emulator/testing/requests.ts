import { jsonOf } from '../contract/json-of.ts';
import { allRules } from '../control/rules/rule-registry.ts';
import { toRequestView } from '../control/views.ts';
import type { BytesView } from '../control/calls.ts';
import type { Exchange } from '../http/record/exchange.ts';
import type { Recorder } from '../http/record/recorder.ts';
import { toPrintableLine } from '../contract/printable.ts';
import { maskUrl } from '../records/secrets.ts';
import type { RequestFields, RequestFilter, RequestWaitOptions, SandboxRequest } from './api.ts';
import { checkFilter, method, type Expected } from './checks.ts';
import { anyPath, describeFilter, fitsPath, toPredicate, withoutQuery } from './filters.ts';
import { toTimeout, type Waiting } from './waiting.ts';

const status: Expected = {
  takes: 'a status such as 429, or a class such as "4xx"',
  fits: (value) =>
    typeof value === 'number' ? value >= 100 && value <= 599 : typeof value === 'string' && /^[1-5]xx$/.test(value),
};

const rule = allRules.map(({ id }) => id);

const recorded: Expected = {
  takes: 'a request that was recorded',
  fits: (value) => Number.isInteger((value as { readonly sequence?: unknown } | null)?.sequence),
};

/** Lists the recorded requests for assertions, and waits for them. */
export function createRequests({
  recorder,
  waiting,
  operations,
}: {
  readonly recorder: Recorder;
  readonly waiting: Waiting;
  /** The names of operations that a filter accepts. */
  readonly operations: readonly string[];
}) {
  const toMatcher = (filter: RequestFilter): ((exchange: Exchange) => boolean) => {
    if (typeof filter === 'function') {
      const isWanted = toPredicate(filter);
      return (exchange) => isWanted(toSandboxRequest(exchange));
    }
    checkFilter('a filter of requests', filter, { method, path: anyPath, operation: operations, status, rule });
    return (exchange) => fits(exchange, filter);
  };
  const find = (matches: (exchange: Exchange) => boolean, after?: number): SandboxRequest | undefined => {
    const found = recorder.all().find((one) => (after === undefined || one.sequence > after) && matches(one));
    return found && toSandboxRequest(found);
  };
  return {
    list: (filter: RequestFilter = {}): readonly SandboxRequest[] =>
      recorder.all().filter(toMatcher(filter)).map(toSandboxRequest),
    wait: (filter: RequestFilter, options?: RequestWaitOptions): Promise<SandboxRequest> =>
      waiting.until(() => {
        const matches = toMatcher(filter);
        const timeoutMs = toTimeout(options, { after: recorded });
        const after = options?.after?.sequence;
        return {
          what: `request ${describeFilter(filter)}${after === undefined ? '' : ` after number ${after}`}`,
          timeoutMs,
          check: () => find(matches, after),
          explain: () => toStory(recorder.all()),
        };
      }),
  };
}

function fits(exchange: Exchange, { method, path, operation, status, rule }: RequestFields): boolean {
  if (method !== undefined && exchange.method !== method.toUpperCase()) return false;
  if (operation !== undefined && exchange.operation !== operation) return false;
  if (rule !== undefined && exchange.refusal?.rule.id !== rule) return false;
  if (status !== undefined && !String(exchange.status).startsWith(String(status).replace('xx', ''))) return false;
  if (path === undefined || fitsPath(exchange.url, path)) return true;
  return typeof path === 'string' && fitsPath(exchange.url, `/v1${path}`);
}

function toSandboxRequest(exchange: Exchange): SandboxRequest {
  const view = toRequestView(exchange, true);
  const type = view.request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return {
    ...view,
    operation: view.operation as SandboxRequest['operation'],
    rule: view.rule as SandboxRequest['rule'],
    path: withoutQuery(exchange.url),
    sent: type.startsWith('application/x-www-form-urlencoded')
      ? Object.fromEntries(new URLSearchParams(toText(view.request.body)))
      : jsonOf(toText(view.request.body)),
    answered: jsonOf(toText(view.response.body)),
  };
}

function toText(body: BytesView | null): string {
  return body?.encoding === 'utf8' ? body.data : '';
}

/** Says what came instead of the awaited request: the newest five. */
function toStory(exchanges: readonly Exchange[]): string {
  if (exchanges.length === 0) return 'No request came at all: is the program under test given this sandbox’s apiUrl?';
  const lines = exchanges.slice(-5).map(({ status, method, url, refusal, fault, failure }) => {
    const why = refusal ? `  ${refusal.rule.id}: ${refusal.message}` : fault ? `  fault: ${fault.says}` : '';
    return `\n  ${status ?? failure ?? 'no answer'}  ${method} ${toPrintableLine(maskUrl(url))}${toPrintableLine(why)}`;
  });
  const count = exchanges.length === 1 ? 'One request came' : `${exchanges.length} requests came, the last of them`;
  return `${count}:${lines.join('')}`;
}
