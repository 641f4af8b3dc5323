import { toAmount } from '../../contract/digits.ts';
import type { Exchange } from '../../http/record/exchange.ts';
import { toHeaderPairs } from '../../http/raw-headers.ts';
import type { RecordedExchange } from '../../http/record/recorded-exchange.ts';
import type { QueryOf } from '../call.ts';
import { toChainView } from './chain-view.ts';
import type { RequestSummary } from '../contract/parts.ts';
import type { requestCalls } from '../contract/requests.ts';
import { toEntry, toHar } from './har.ts';
import { createMask, noMask } from './mask.ts';
import { readEach, whileHeld } from './read-each.ts';
import { openEditor } from '../server/open-editor.ts';
import { siteHeader, testHeader } from '../../production/hosts.ts';
import { inPath, refuse } from '../../rules.ts';
import { checkCompany } from '../of-company.ts';
import { findKind } from '../find-kind.ts';
import { requestRules } from '../rules/resource-rules.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Handlers } from '../route.ts';
import { createSend } from './send.ts';
import { toCalledFrom } from './story.ts';
import { newestOf, toRequestView, toSummary } from '../views.ts';

/** Handlers for recorded requests: lists, one request, its chain, archives, and requests sent from the inspector. */
export function createRequestHandlers(deps: HandlerDeps): Handlers<typeof requestCalls> {
  const { store, recorder, lineage, urls, version, undo, options } = deps;
  const send = createSend(deps);
  const exchangeOf = (id: string): RecordedExchange =>
    recorder.get(id) ??
    refuse(requestRules.unknown, inPath('id'), id, { id, dropped: recorder.dropped, kept: recorder.size });

  return {
    async 'GET /control/requests'({ query: { after = 0, limit = 100, ...filter } }) {
      checkCompany(store, filter.companyId);
      const { plain, decoding } = toTests(filter);
      const all = recorder.all(after);
      const found = plain.length === 0 ? all : all.filter((exchange) => plain.every((test) => test(exchange)));
      const newest = (exchanges: readonly RecordedExchange[]): Promise<RequestSummary[]> =>
        whileHeld(newestOf(exchanges, limit), (held) => readEach(held, (exchange) => toSummary(exchange)));
      const { dropped, upTo } = recorder;
      if (decoding.length === 0) return { total: found.length, dropped, upTo, requests: await newest(found) };
      return whileHeld(found, async () => {
        const isWanted = (exchange: RecordedExchange): boolean => decoding.every((test) => test(exchange));
        const wanted = await readEach(found, (exchange) => (isWanted(exchange) ? exchange : null));
        return { total: wanted.length, dropped, upTo, requests: await newest(wanted) };
      });
    },
    'DELETE /control/requests'() {
      undo.editRequests({ code: 'requests.cleared', says: 'The recorded requests were cleared.' }, recorder.clear);
      return null;
    },
    'POST /control/requests/delete'({ body: { ids } }) {
      const wanted = new Set(ids);
      const gone = recorder.all().filter(({ id }) => wanted.has(id));
      if (gone.length > 0) {
        const says = `${toAmount(gone.length, 'recorded request was', 'recorded requests were')} deleted.`;
        undo.editRequests({ code: 'requests.deleted', says }, () => recorder.takeOut(gone), gone);
      }
      return { deleted: gone.length };
    },
    'GET /control/requests/{id}': ({ params: { id }, query: { reveal } }) =>
      toRequestView(exchangeOf(id), reveal === 'true'),
    'POST /control/requests/{id}/editor': ({ params: { id } }) =>
      openEditor(toCalledFrom(exchangeOf(id))?.place ?? null, options.editorFolder),
    'GET /control/requests/{id}/chain': ({ params: { id } }) =>
      toChainView(exchangeOf(id), { store, recorder, lineage }),
    async 'POST /control/requests/har'({ body: { ids, reveal = false } }) {
      const wanted = ids && new Set(ids);
      const mask = reveal ? noMask : await createMask(store);
      const exchanges = recorder.all().filter(({ id }) => wanted?.has(id) ?? true);
      const entries = await whileHeld(exchanges, (held) =>
        readEach(held, (exchange) => toEntry(exchange, { origin: urls.auth, mask })),
      );
      return toHar(entries, version);
    },
    'GET /control/records/{kind}/{id}/requests'({ params: { kind, id } }) {
      const name = findKind(store, kind);
      // The collections that a request touched are known without decoding its changes.
      const candidates = lineage
        .changing(id)
        .filter(({ touched }) => touched.some(({ collection }) => collection === name));
      return whileHeld(candidates, async () => {
        const found = await readEach(candidates, (exchange) =>
          exchange.changes.some((one) => one.id === id && one.collection === name) ? exchange : null,
        );
        const requests = await readEach(found.slice(-100), (exchange) => toSummary(exchange));
        return { total: found.length, requests };
      });
    },
    'POST /control/send'({ body: { method, path, headers = [], body, replayOf = null } }) {
      const bytes = body ? Buffer.from(body.data, body.encoding) : null;
      const pairs = headers.map(([name = '', value = '']) => [name, value] as const);
      return send({ method, path, headers: pairs, bytes, replayOf });
    },
    async 'GET /control/body-search'({ query: { text, after = 0, from = 0, in: where = 'bodies' } }) {
      const wanted = text.toLowerCase();
      const { upTo } = recorder;
      const searched = recorder.all(after).filter(({ sequence }) => sequence >= from);
      const ids = await whileHeld(searched, () =>
        where === 'headers'
          ? readEach(searched, headersContaining(wanted))
          : readEach(searched, (exchange) => (contains(exchange, wanted) ? exchange.id : null), bodyBytes),
      );
      return { ids, upTo };
    },
  };
}

type Test = (exchange: RecordedExchange) => boolean;
type ListFilter = Omit<QueryOf<(typeof requestCalls)['GET /control/requests']>, 'after' | 'limit'>;

/** Turns a filter into tests of data that is at hand, and tests for which a request has to be decoded. */
function toTests(filter: ListFilter): {
  readonly plain: readonly Test[];
  readonly decoding: readonly Test[];
} {
  const { before, operation, status, rule, method, path, body, companyId, at, test, since, until } = filter;
  const plain: Test[] = [];
  const decoding: Test[] = [];
  const [from, to] = [Date.parse(since ?? ''), Date.parse(until ?? '')];
  const begin = status?.replace('xx', '');
  if (since !== undefined) plain.push((exchange) => exchange.at >= from);
  if (until !== undefined) plain.push((exchange) => exchange.at < to);
  if (before !== undefined) plain.push(({ sequence }) => sequence < before);
  if (operation !== undefined) plain.push((exchange) => exchange.operation === operation);
  if (begin !== undefined) plain.push((exchange) => String(exchange.status).startsWith(begin));
  if (rule !== undefined) plain.push(({ refusedBy }) => refusedBy === rule);
  if (method !== undefined) plain.push((exchange) => exchange.method === method.toUpperCase());
  if (path !== undefined) plain.push(({ url }) => url.toLowerCase().includes(path.toLowerCase()));
  if (companyId !== undefined) plain.push((exchange) => exchange.companyId === companyId);
  if (body) decoding.push((exchange) => contains(exchange, body.toLowerCase()));
  if (at)
    decoding.push((exchange) => exchange.maySend(siteHeader) && (toCalledFrom(exchange)?.place ?? '').includes(at));
  if (test)
    decoding.push((exchange) => exchange.maySend(testHeader) && (toCalledFrom(exchange)?.test ?? '').includes(test));
  return { plain, decoding };
}

function bodyBytes({ requestBody, responseBody }: Exchange): number {
  return (requestBody?.length ?? 0) + (responseBody?.length ?? 0) + 100;
}

function contains({ requestBody, responseBody }: Exchange, wanted: string): boolean {
  return [requestBody, responseBody].some(
    (body) => body !== null && body.toString('utf8').toLowerCase().includes(wanted),
  );
}

/** Returns a function that returns the id of a request if its headers contain a text, in lower case. */
function headersContaining(wanted: string): (exchange: RecordedExchange) => string | null {
  // Split at the characters that JSON escapes, and at those between a name and its value.
  const parts = wanted.split(/[^!#-9;-[\]-~]/);
  return (exchange) => {
    if (!parts.every((part) => exchange.maySend(part))) return null;
    const all = [...toHeaderPairs(exchange.requestHeaders), ...Object.entries(exchange.responseHeaders)];
    return all.some((pair) => pair.join(': ').toLowerCase().includes(wanted)) ? exchange.id : null;
  };
}
