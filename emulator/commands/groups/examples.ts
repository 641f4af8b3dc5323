import type { Command } from 'commander';

/** A command line, and what it does if its words do not say so. */
type Example = readonly [line: string, does?: string];

export const examples: { readonly [command: string]: readonly Example[] } = {
  '': [
    ['sandpiper serve', 'start, and print the address of the inspector'],
    ['sandpiper exec --as-production -- npm test', 'run your tests, unchanged'],
    ['sandpiper explain --refused', 'why the newest refused request was refused, and the fix'],
  ],
  serve: [
    ['sandpiper serve', 'on ports 4747 and 4748, with the demo data'],
    ['sandpiper serve --world world.yaml --watch', 'with data that a file declares'],
    ['sandpiper serve --memory --port 0 --inspector-port 0 --json', 'for a script'],
  ],
  open: [['sandpiper open'], ['sandpiper open --data ./sandbox --pace manual']],
  config: [
    ['sandpiper config validate', 'each mistake with its line and field'],
    ['sandpiper config print', 'every option, and where its value comes from'],
    ['sandpiper config print --pace manual', 'as "serve --pace manual" would have them'],
  ],
  exec: [
    ['sandpiper exec -- npm test', 'your code reads SANDPIPER_API_URL'],
    ['sandpiper exec --world world.yaml -- npm test', 'with the data that a file declares'],
    ['sandpiper exec --as-production -- npm test', "your code names the platform's own host"],
    ['sandpiper exec --as-production --offline -- python3 sync.py', 'the same, and nothing leaves this machine'],
  ],
  listen: [['sandpiper listen'], ['sandpiper listen --json']],
  logs: [
    ['sandpiper logs --limit 10'],
    ['sandpiper logs --follow --filter "status:4xx"', 'refusals, as they happen'],
    ['sandpiper logs --filter "at:shop.ts:42"', 'what a line of your code sent'],
  ],
  explain: [
    ['sandpiper explain --refused', 'the newest request that was refused'],
    ['sandpiper explain --last --json'],
    ['sandpiper explain req_mwse7u9800001', 'the request with this id'],
    ['sandpiper explain --person +15555550100', 'what happened to this person'],
  ],
  mcp: [['sandpiper mcp', 'the command for the settings of an agent']],
  ready: [['sandpiper serve & sandpiper ready --wait 30s', 'start in the background, and wait until it answers']],
  env: [
    ['sandpiper env >> .env', 'at the end of the file'],
    ['export $(sandpiper env)', 'for the next commands of this shell'],
  ],
  doctor: [['sandpiper doctor'], ['sandpiper doctor --port 8080 --data ./sandbox']],
  completion: [
    ['source <(sandpiper completion bash)', 'in ~/.bashrc'],
    ['source <(sandpiper completion zsh)', 'in ~/.zshrc, after compinit'],
    ['sandpiper completion fish | source', 'in ~/.config/fish/config.fish'],
  ],
  clock: [['sandpiper clock']],
  advance: [
    ['sandpiper advance 30d', 'what falls due on the way happens'],
    ['sandpiper advance --to 2027-01-01T00:00:00Z'],
    ['sandpiper advance --rewind', 'back to before the last advance'],
  ],
  freeze: [['sandpiper freeze'], ['sandpiper freeze --off', 'let the clock run again']],
  rate: [['sandpiper rate 60', 'a virtual minute in each second']],
  pace: [['sandpiper pace manual', 'nothing moves by itself']],
  trigger: [
    ['sandpiper trigger email.opened --email ada@example.com', 'to every webhook that lists the event'],
    [
      'sandpiper trigger sms.sent --phone +15555550100 --to http://localhost:3000',
      'to this address, also without a webhook',
    ],
    ['sandpiper trigger sms.subscribed --set subscription.type=MARKETING --dry-run', 'only show it'],
  ],
  deliveries: [['sandpiper deliveries'], ['sandpiper deliveries --state failed']],
  redeliver: [['sandpiper redeliver dlv_18', 'the delivery with this id'], ['sandpiper redeliver --failed']],
  enable: [['sandpiper enable MDc6V2ViaG9vazE', 'the webhook with this id']],
  rotate: [['sandpiper rotate MDc6V2ViaG9vazE --overlap 1h', 'the webhook with this id']],
  gym: [['sandpiper gym http://localhost:3000/hooks --count 5 --seed 7']],
  receiver: [
    ['sandpiper receiver', 'start it, or show what it received'],
    ['sandpiper receiver --status 503 --delay 2000'],
    ['sandpiper receiver --off'],
  ],
  messages: [['sandpiper messages --phone +15555550100']],
  compose: [
    ['sandpiper compose "Sale: https://shop.example.com" --phone +15555550100'],
    ['sandpiper compose "Hello" --email ada@example.com --subject "News"'],
  ],
  act: [
    ['sandpiper act MDc6TWVzc2FnZTE0 click --link 0', 'the message with this id'],
    ['sandpiper act MDc6TWVzc2FnZTE0 reply --text STOP'],
  ],
  fault: [
    ['sandpiper fault "POST /subscriptions" --status 429 --retry-after 2 --times 3'],
    ['sandpiper fault "*" --delay 2s --every 5'],
    ['sandpiper fault --clear', 'remove all of them'],
  ],
  limits: [['sandpiper limits real'], ['sandpiper limits off']],
  records: [
    ['sandpiper records', 'the kinds of records'],
    ['sandpiper records users'],
    ['sandpiper records privacy-requests abc123', 'its possible moves, and why others are not'],
  ],
  fire: [['sandpiper fire privacy-requests abc123 start', 'the privacy request with this id']],
  snapshot: [
    ['sandpiper snapshot save before-checkout'],
    ['sandpiper snapshot restore before-checkout'],
    ['sandpiper snapshot export state.json', 'the current state, without secrets'],
  ],
  world: [['sandpiper world save world.yaml', 'for "sandpiper serve --world world.yaml"']],
  undo: [['sandpiper undo', 'the newest change'], ['sandpiper undo --list']],
  redo: [['sandpiper redo']],
  reset: [['sandpiper reset'], ['sandpiper reset --empty']],
  catalog: [
    ['sandpiper catalog generate --products 100 --out catalog.ndjson'],
    ['sandpiper catalog check catalog.ndjson'],
  ],
  'catalog generate': [
    ['sandpiper catalog generate --products 100 --out catalog.ndjson'],
    ['sandpiper catalog generate --faults currency:2,url:1 --list > faulty.ndjson'],
  ],
  'catalog check': [['sandpiper catalog check catalog.ndjson']],
  'catalog xray': [['sandpiper catalog xray catalog.ndjson']],
  'catalog fix': [['sandpiper catalog fix catalog.ndjson --out fixed.ndjson']],
};

/** Adds examples at the end of each command's help. */
export function addExamples(command: Command, path: readonly string[] = []): void {
  command.addHelpText('after', () => toText(examples[path.join(' ')] ?? []));
  for (const below of command.commands) addExamples(below, [...path, below.name()]);
}

function toText(lines: readonly Example[]): string {
  if (lines.length === 0) return '';
  // Not on the line of the example: it can then be copied whole.
  const shown = lines.map(([line, does]) => (does === undefined ? `  ${line}` : `  ${line}\n      ${does}`));
  return `\nExamples:\n${shown.join('\n')}`;
}
