import type { FactsOfRefusal } from '../../rules.ts';

/** A reader of refusals who has no shell: an agent with the tools of `sandpiper mcp`, or a test with the library. */
export type Caller = 'tool' | 'library';

type Listing = { readonly [Who in Caller]?: string };

/** The equivalents of listing commands, keyed by the words after `sandpiper`. */
const sameAs: { readonly [command: string]: Listing } = {
  deliveries: { tool: 'records with {"kind": "deliveries"}', library: 'sandbox.control.deliveries()' },
  fault: { library: "sandbox.control.call('GET /control/faults')" },
  logs: { tool: 'find_requests', library: 'sandbox.requests()' },
  messages: { tool: 'records with {"kind": "messages"}', library: 'sandbox.control.messages()' },
  'snapshot list': { library: "sandbox.control.call('GET /control/snapshots')" },
  'undo --list': { tool: 'undo with {"list": true}', library: 'sandbox.control.undoList()' },
};

const leads: { readonly [Who in Caller]: string } = { tool: 'With these tools', library: 'In a test' };

/**
 * Returns the sentence that a caller adds to a refusal whose fact `listedBy` names a listing command. Empty if the
 * caller has no equivalent of that command.
 */
export function ownListing(caller: Caller, { listedBy }: FactsOfRefusal): string {
  if (typeof listedBy !== 'string') return '';
  const [command, kind] = listedBy.split(' ');
  const own: Listing | undefined =
    command === 'records'
      ? { tool: `records with {"kind": "${kind}"}`, library: `sandbox.control.records('${kind}')` }
      : sameAs[listedBy];
  const call = own?.[caller];
  return call === undefined ? '' : ` ${leads[caller]}: ${call}.`;
}

/** What to do if no Sandpiper answers. The library has started one itself, so only the test can be in the way. */
export const toReach = (caller: Caller | undefined): string =>
  caller === 'library'
    ? 'It runs in this process: if something in the test blocks connections, let those to 127.0.0.1 pass.'
    : 'Start one with "sandpiper serve", or name another with --url and --token.';
