import { createServer, type Server } from 'node:http';
import type { Catalog } from '../features/catalog/catalog.ts';
import { hostProblem, type Hosts } from '../net/host-guard.ts';
import { isProbe } from '../net/probe.ts';
import { holdContinue } from '../net/conversation.ts';
import { createObjectRouter } from '../objects/router.ts';
import type { UploadLinks } from '../objects/upload-links.ts';
import { readAllowedHosts } from './allowed-hosts.ts';
import { createApiApp, type ApiAppOptions } from './app.ts';
import { answerBrokenRequests, takeEveryRequest } from './broken-requests.ts';
import { Incoming, closingAfterBodies } from './body/incoming.ts';
import type { Traffic } from './traffic.ts';

export interface ApiServerOptions
  extends Omit<ApiAppOptions, 'objectStore' | 'hosts'>, Pick<Hosts, 'ownName' | 'publicUrl'> {
  /** The Host names that the start allows; names that were allowed since come from the store. */
  readonly allowHosts: readonly string[];
  readonly catalog: Pick<Catalog, 'accepts' | 'issued' | 'onStored'>;
  readonly links: UploadLinks;
  readonly traffic: Traffic;
}

/** The server of the emulated API and of the object store; not listening yet. */
export function createApiServer({
  catalog,
  links,
  traffic,
  ownName,
  allowHosts,
  publicUrl,
  ...options
}: ApiServerOptions): Server {
  const { store, clock, urls, choices } = options.deps;
  const objectStore = createObjectRouter({
    blobs: store.blobs,
    clock,
    get secret() {
      return links.secret();
    },
    accepts: catalog.accepts,
    issued: catalog.issued,
    onStored: catalog.onStored,
  });
  const server = createServer({ IncomingMessage: Incoming, requireHostHeader: false });
  const hosts: Hosts = { ownName, allowed: () => [...allowHosts, ...readAllowedHosts(store)], publicUrl };
  const answer = createApiApp({ ...options, hosts, objectStore }).callback();
  const take = closingAfterBodies((request, response) => {
    if (isProbe(request) && hostProblem(request, hosts) === null) {
      response.writeHead(204, { 'x-sandbox-explain': `${urls.inspector}/` }).end();
      return;
    }
    traffic.note();
    void answer(request, response);
  });
  server.on('request', take);
  // By default Node leaves out headers beyond a number; their size is limited anyway.
  server.maxHeadersCount = 0;
  // An upload of 2 GB may take long. The limits for inactivity and for headers stay.
  server.requestTimeout = 0;
  holdContinue(server, take);
  takeEveryRequest(server);
  answerBrokenRequests(server, { recorder: options.recorder, urls, answers: choices.answers });
  return server;
}
