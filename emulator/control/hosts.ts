import { readAllowedHosts } from '../http/allowed-hosts.ts';
import { toPrivateHost } from '../net/private-host.ts';
import { allowedHostsSetting } from '../records/accounts.ts';
import { inBody, inPath, refuse } from '../rules.ts';
import type { hostCalls } from './contract/hosts.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';
import { hostRules } from './rules/resource-rules.ts';

/** Handlers that allow Host names, and refuse them again. */
export function createHostHandlers({ store, editDone }: HandlerDeps): Handlers<typeof hostCalls> {
  const put = (value: readonly string[]) => store.settings.put({ id: allowedHostsSetting, value });
  return {
    'POST /control/allowed-hosts'({ body }) {
      const host = toPrivateHost(body.host);
      if (host === null) return refuse(hostRules.public, inBody('/host'), body.host, body);
      const before = readAllowedHosts(store);
      if (before.includes(host)) return refuse(hostRules.allowed, inBody('/host'), body.host, { host });
      return editDone(
        'host.allowed',
        () => `The host ${host} was allowed.`,
        () => put([...before, host]),
      );
    },
    'DELETE /control/allowed-hosts/{host}'({ params }) {
      const host = toPrivateHost(params.host) ?? params.host;
      const before = readAllowedHosts(store);
      if (!before.includes(host)) return refuse(hostRules.unknown, inPath('host'), params.host, { host });
      return editDone(
        'host.refused',
        () => `The host ${host} is refused again.`,
        () => put(before.filter((one) => one !== host)),
      );
    },
  };
}
