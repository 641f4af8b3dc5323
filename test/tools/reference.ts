/* Writes docs/reference/ from the contract: node --import tsx test/tools/reference.ts */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Field } from '../../emulator/contract/fields.ts';
import type { ReferenceKind, ReferencePage } from '../../emulator/control/contract/reference.ts';
import { referenceWords } from '../../emulator/control/rules/reference.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import { withEmulator } from './with-emulator.ts';

export const referenceFolder = join(import.meta.dirname, '../../docs/reference');
const defaultAddress = 'http://127.0.0.1:4747';

/** The files of the reference by name, in Markdown, as a running emulator serves it. */
export async function toReferenceFiles(
  emulator: Pick<Emulator, 'authUrl' | 'inspectorUrl' | 'token'>,
): Promise<ReadonlyMap<string, string>> {
  const answer = await fetch(`${emulator.inspectorUrl}/control/reference`, {
    headers: { authorization: `Bearer ${emulator.token}` },
  });
  const text = (await answer.text()).replaceAll(emulator.authUrl, defaultAddress);
  const { pages } = JSON.parse(text) as { readonly pages: readonly ReferencePage[] };
  const kinds = Object.keys(referenceWords) as readonly ReferenceKind[];
  const files = kinds.map((kind): [string, string] => [
    `${kind}s.md`,
    toFile(
      kind,
      pages.filter((page) => page.kind === kind),
    ),
  ]);
  const rows = kinds.map((kind) => {
    const count = pages.filter((page) => page.kind === kind).length;
    return row(`[${referenceWords[kind][1]}](${kind}s.md)`, String(count), about[kind]);
  });
  const index = `# Reference

Made from the contract by \`npm run docs\`; a test keeps it current. The inspector shows the same pages under Reference, with the
requests that called each. *Documented*: the specification says it. *Observed*: public descriptions or working clients
show it. *Assumed*: our own choice, with its reason.

${[row('pages of', 'how many', 'what they say'), row('---', '---', '---'), ...rows].join('\n')}
`;
  return new Map([['README.md', index], ...files]);
}

const about: { readonly [K in ReferenceKind]: string } = {
  operation: 'Scope, statuses, fields, an example that runs, and the rules of each operation of the emulated API',
  event: 'The payload of each event that webhooks get',
  record: 'The fields of each kind of record that is stored, and the moves between its states',
  rule: 'Each rule that refuses a request or a line of a catalog file',
  limit: 'Waits, limits, headers and defaults that a client can notice',
};

function toFile(kind: ReferenceKind, pages: readonly ReferencePage[]): string {
  const title = `# ${referenceWords[kind][1]}\n\n${about[kind]}. [All of the reference](README.md).`;
  if (kind === 'rule' || kind === 'limit') return `${title}\n\n${toTable(pages)}\n`;
  return `${[title, ...pages.map(toSection)].join('\n\n')}\n`;
}

/** Makes a table of pages that have one sentence each. */
function toTable(pages: readonly ReferencePage[]): string {
  const rows = pages.map(({ id, says, source, provenance, reason, facts }) =>
    row(`\`${id}\``, says, facts.map(({ value }) => value).join('; '), source, provenance, reason),
  );
  return [row('id', 'it says', 'more', 'source', 'provenance', 'why'), row(...Array(6).fill('---')), ...rows].join(
    '\n',
  );
}

function toSection(page: ReferencePage): string {
  const { title, says, source, provenance, reason, facts, fields, moves, examples, related } = page;
  const rules = related.map(({ id }) => `\`${id}\``).join(', ');
  return [
    `## ${title}`,
    [says, `*${capitalized(provenance)}*, ${source}.`, reason].filter((text) => text !== '').join(' '),
    facts.map(({ name, value }) => `- ${name}: ${value.replaceAll('\n', '; ')}`).join('\n'),
    ...fields.map((table) => `### ${table.title}\n\n${toFieldTable(table.rows)}`),
    moves.length === 0 ? '' : `### Moves\n\n${toMoveTable(moves)}`,
    ...examples.map((example) => `### ${example.title}\n\n\`\`\`text\n${example.text}\n\`\`\``),
    rules === '' ? '' : `Its rules, besides those of all operations: ${rules}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function toFieldTable(fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, required, provenance, says }) =>
    row(`\`${name}\``, type, required ? 'yes' : 'no', provenance ?? '', says),
  );
  return [row('field', 'type', 'required', 'provenance', 'meaning'), row(...Array(5).fill('---')), ...rows].join('\n');
}

function toMoveTable(moves: ReferencePage['moves']): string {
  const rows = moves.map(({ from, event, to, by, provenance, section, why }) =>
    row(`\`${from}\``, `\`${event}\``, `\`${to}\``, by, `${provenance}, ${section}`, why),
  );
  return [row('from', 'move', 'to', 'moved by', 'source', 'what it means'), row(...Array(6).fill('---')), ...rows].join(
    '\n',
  );
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')).join(' | ')} |`;
}

function capitalized(word: string): string {
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;
}

if (process.argv[1] === import.meta.filename)
  await withEmulator(async (emulator) => {
    rmSync(referenceFolder, { recursive: true, force: true });
    mkdirSync(referenceFolder);
    for (const [name, text] of await toReferenceFiles(emulator)) writeFileSync(join(referenceFolder, name), text);
  });
