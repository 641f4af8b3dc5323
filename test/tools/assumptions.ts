/* Writes docs/assumptions.md from the provenance tags of what the emulator serves: node --import tsx test/tools/assumptions.ts */
import { writeFileSync } from 'node:fs';
import { behaviours } from '../../emulator/control/rules/behaviours.ts';
import { catalogRules } from '../../emulator/features/catalog/check/rules.ts';
import type { CatalogRule } from '../../emulator/features/catalog/check/shapes.ts';
import type { Limits } from '../../emulator/contract/schema.ts';
import { operationName } from '../../emulator/http/endpoint.ts';
import { lifecycleKinds } from '../../emulator/lifecycles.ts';
import { allRules } from '../../emulator/control/rules/rule-registry.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import { withEmulator } from './with-emulator.ts';

interface Tag {
  readonly where: string;
  readonly provenance: string;
  readonly reason: string;
  /** Keywords with an origin of their own. */
  readonly limits: Limits | null;
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
          limits: (property['x-limits'] ?? null) as Limits | null,
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
      tags: [...new Map(parts.flat().map((tag) => [tag.where, tag])).values()],
    };
  });
  const all = shapes.flatMap(({ tags }) => tags);
  const count = (provenance: string) => all.filter((tag) => tag.provenance === provenance).length;
  const assumed = shapes.flatMap(({ name, tags }) =>
    tags.flatMap(({ where, provenance, reason, limits }) => [
      ...(provenance === 'assumed' ? [row(`\`${name}\``, `\`${where}\``, reason)] : []),
      ...(limits?.provenance === 'assumed'
        ? [row(`\`${name}\``, `\`${where}\`: ${limits.keywords.join(', ')}`, limits.reason)]
        : []),
    ]),
  );
  const observed = shapes.flatMap(({ name, tags }) => {
    const names = tags.filter(({ provenance }) => provenance === 'observed').map(({ where }) => `\`${where}\``);
    return names.length === 0 ? [] : [row(`\`${name}\``, names.join(', '))];
  });
  const operationRows = operations
    .filter(({ provenance }) => provenance !== 'documented')
    .map((one) => row(`\`${operationName(one)}\``, one.section, one.provenance, one.summary, one.reason));
  const isStated = ({ provenance }: { readonly provenance: string }): boolean => provenance === 'documented';
  const isOwn = ({ section }: { readonly section: string }): boolean => !/^\d/.test(section);
  const ofThePlatform = allRules.filter((rule) => !isOwn(rule));
  const own = allRules.filter(isOwn);
  const rules = ofThePlatform
    .filter((rule) => !isStated(rule))
    .map(({ id, status, section, provenance, says, reason = '' }) =>
      row(`\`${id}\``, String(status), section, provenance, says, reason),
    );
  const countRules = (provenance: string) => ofThePlatform.filter((rule) => rule.provenance === provenance).length;
  const ownRows = own.map(({ id, status, says }) => row(`\`${id}\``, String(status), says));
  const rulesOfTheFile: readonly CatalogRule[] = catalogRules;
  const ofTheFile = rulesOfTheFile
    .filter((rule) => !isStated(rule))
    .map(({ id, section, provenance, says, reason = '' }) => row(`\`${id}\``, section, provenance, says, reason));
  const moves = Object.values(lifecycleKinds).flatMap(({ table }) =>
    table.rows.map((move) => ({ kind: table.kind, ...move, provenance: move.source.provenance })),
  );
  const movesNotStated = moves
    .filter((move) => !isStated(move))
    .map(({ kind, from, event, to, by, source, why }) =>
      row(kind, `\`${from}\``, `\`${event}\``, `\`${to}\``, by.join(', '), source.section, source.provenance, why),
    );
  const behaviourRows = behaviours.map(({ id, source, provenance, says, reason = '' }) =>
    row(`\`${id}\``, source, provenance, says, reason),
  );
  return `# Assumptions

Generated from the provenance tags of what the emulator serves, by \`npm run docs\`; a test keeps it current. *Documented*:
the specification says it. *Observed*: public descriptions or working clients show it. *Assumed*: our own choice.

Of ${all.length} properties that are read or served, ${count('documented')} are documented, ${count('observed')} observed and ${count('assumed')} assumed.
Of ${ofThePlatform.length} rules of the platform, ${countRules('documented')} are documented, ${countRules('observed')} observed and ${countRules('assumed')} assumed; ${own.length} more are Sandpiper's own.
Of ${catalogRules.length} rules for the lines of a catalog file ${catalogRules.length - ofTheFile.length} are documented, of ${moves.length} moves between states ${moves.length - movesNotStated.length},
of ${behaviours.length} other behaviours ${behaviours.filter(isStated).length}.

## Operations that the specification does not state

${[row('operation', 'section', 'provenance', 'what it does', 'why'), row('---', '---', '---', '---', '---'), ...operationRows].join('\n')}

## Assumed shapes

${[row('operation', 'where', 'why'), row('---', '---', '---'), ...assumed].join('\n')}

## Observed shapes

${[row('operation', 'where'), row('---', '---'), ...observed].join('\n')}

## Rules that the specification does not state

${[row('rule', 'status', 'section', 'provenance', 'it says', 'why'), row('---', '---', '---', '---', '---', '---'), ...rules].join('\n')}

## Rules of Sandpiper itself

What the platform has no part in: this machine, its disk and its clock, and the control API.

${[row('rule', 'status', 'it says'), row('---', '---', '---'), ...ownRows].join('\n')}

## Rules for catalog files that the specification does not state

${[row('rule', 'section', 'provenance', 'it says', 'why'), row('---', '---', '---', '---', '---'), ...ofTheFile].join('\n')}

## Moves between states that the specification does not state

${[row('record', 'from', 'move', 'to', 'moved by', 'section', 'provenance', 'what it means'), row('---', '---', '---', '---', '---', '---', '---', '---'), ...movesNotStated].join('\n')}

## Other behaviours

What a client can notice in addition to shapes, refusals and states, the documented ones included.

${[row('behaviour', 'source', 'provenance', 'it says', 'why'), row('---', '---', '---', '---', '---'), ...behaviourRows].join('\n')}
`;
}

if (process.argv[1] === import.meta.filename)
  await withEmulator((emulator) =>
    writeFileSync(new URL('../../docs/assumptions.md', import.meta.url), toAssumptionsPage(emulator)),
  );
