/** Who reads a message without a shell: an agent with the tools of `sandpiper mcp`, or a test with the library. */
export type Caller = 'tool' | 'library';

/** The commands that messages name, and how each caller does the same. */
const sameAs: readonly (readonly [command: RegExp, words: { readonly [Who in Caller]?: string }])[] = [
  [/^records ([\w-]+)$/, { tool: 'records with {"kind": "$1"}', library: "sandbox.control.records('$1')" }],
  [/^logs$/, { tool: 'find_requests', library: 'sandbox.requests()' }],
  [/^deliveries$/, { tool: 'records with {"kind": "deliveries"}', library: 'sandbox.control.deliveries()' }],
  [/^messages$/, { tool: 'records with {"kind": "messages"}', library: 'sandbox.control.messages()' }],
  [/^undo --list$/, { tool: 'undo with {"list": true}', library: 'sandbox.control.undoList()' }],
  [/^fault --clear$/, { tool: 'fault with {"clear": true}', library: 'sandbox.control.clearFaults()' }],
  [/^fault$/, { library: "sandbox.control.call('GET /control/faults')" }],
  [/^snapshot list$/, { library: "sandbox.control.call('GET /control/snapshots')" }],
  [/^snapshot export$/, { library: "sandbox.control.call('GET /control/export')" }],
];

/** Such as `"sandpiper logs"`; the group is what follows the name of the program. */
const quotedCommand = /"sandpiper\s([^"]+)"/g;

/** A message with the caller's own calls instead of the commands that it names, where there are some. */
export function inWordsOf(caller: Caller, message: string): string {
  return message.replaceAll(quotedCommand, (named, command: string) => {
    const [pattern, words] = sameAs.find(([one]) => one.test(command)) ?? [];
    const own = words?.[caller];
    return pattern === undefined || own === undefined ? named : command.replace(pattern, own);
  });
}
