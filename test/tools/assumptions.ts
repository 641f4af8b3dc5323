/* Writes docs/assumptions.md from the provenance tags of what the emulator serves: node --import tsx test/tools/assumptions.ts */
import { writeFileSync } from 'node:fs';
import { operationName } from '../../emulator/http/endpoint.ts';
import { allRules } from '../../emulator/rule-registry.ts';
import { startSandbox } from '../support/sandbox.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';

interface Tag {
  readonly where: string;
  readonly provenance: string;
  readonly reason: string;
}

function tagsOf(schema: unknown, where: string): readonly Tag[] {
  if (schema === null || typeof schema !== 'object') return [];
  if (Array.isArray(schema)) return schema.flatMap((one) => tagsOf(one, where));
  return Object.entries(schema as Readonly<Record<string, unknown>>).flatMap(([key, inner]): readonly Tag[] => {
    if (key !== 'properties') return key === 'examples' || key === 'default' ? [] : tagsOf(inner, where);
    return Object.entries(inner as Readonly<Record<string, Readonly<Record<string, unknown>>>>).flatMap(
      ([name, property]) => {
        const tag = {
          where: `${where}${name}`,
          provenance: String(property['x-provenance']),
          reason: String(property['x-reason'] ?? ''),
        };
        return [tag, ...tagsOf(property, `${where}${name}.`)];
      },
    );
  });
}

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;

/** The page of assumptions, in Markdown. */
export function toAssumptionsPage({ operations }: Pick<Emulator, 'operations'>): string {
  const shapes = operations.map((operation) => {
    const { params, query, body, replies } = operation;
    const parts = [
      tagsOf(params, 'path '),
      tagsOf(query, 'query '),
      tagsOf(body?.schema, 'body '),
      ...Object.entries(replies).map(([status, schema]) => tagsOf(schema, `${status} `)),
    ];
    return {
      name: operationName(operation),
      provenance: operation.provenance,
      tags: [...new Map(parts.flat().map((tag) => [tag.where, tag])).values()],
    };
  });
  const all = shapes.flatMap(({ tags }) => tags);
  const count = (provenance: string) => all.filter((tag) => tag.provenance === provenance).length;
  const assumed = shapes.flatMap(({ name, tags }) =>
    tags
      .filter(({ provenance }) => provenance === 'assumed')
      .map(({ where, reason }) => row(`\`${name}\``, `\`${where}\``, reason)),
  );
  const observed = shapes.flatMap(({ name, tags }) => {
    const names = tags.filter(({ provenance }) => provenance === 'observed').map(({ where }) => `\`${where}\``);
    return names.length === 0 ? [] : [row(`\`${name}\``, names.join(', '))];
  });
  const rules = allRules
    .filter(({ provenance }) => provenance !== 'documented')
    .map(({ id, status, section, provenance, says }) => row(`\`${id}\``, String(status), section, provenance, says));
  return `# Assumptions

Generated from the provenance tags of what the emulator serves, by \`npm run docs\`; a test keeps it current. *Documented*:
the specification says it. *Observed*: public descriptions or working clients show it. *Assumed*: our own choice.

Of ${all.length} properties that are read or served, ${count('documented')} are documented, ${count('observed')} observed and ${count('assumed')} assumed.
Of ${allRules.length} rules, ${allRules.length - rules.length} are documented.

## Assumed shapes

${[row('operation', 'where', 'why'), row('---', '---', '---'), ...assumed].join('\n')}

## Observed shapes

${[row('operation', 'where'), row('---', '---'), ...observed].join('\n')}

## Rules that the specification does not state

${[row('rule', 'status', 'section', 'provenance', 'it says'), row('---', '---', '---', '---', '---'), ...rules].join('\n')}
`;
}

if (process.argv[1] === import.meta.filename) {
  const sandbox = await startSandbox();
  writeFileSync(new URL('../../docs/assumptions.md', import.meta.url), toAssumptionsPage(sandbox.emulator));
  await sandbox.close();
}
