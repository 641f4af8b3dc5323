/* Writes emulator/testing/names.ts, the names that the test library has types for: node --import tsx test/tools/names.ts */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRules } from '../../emulator/control/rules/rule-registry.ts';
import { operationNames } from '../../emulator/http/app.ts';
import { lifecycleKinds, type StatefulName } from '../../emulator/lifecycles.ts';
import { toKind } from '../../emulator/records/kind.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import { withEmulator } from './with-emulator.ts';

export const namesFile = join(import.meta.dirname, '../../emulator/testing/names.ts');

/** The file for an emulator. */
export function toNamesText({ operations }: Pick<Emulator, 'operations'>): string {
  return `/** Made from the contract by \`npm run docs\`: no types of the contract have these names. */

/** The name of an operation, as the specification writes it: \`POST /subscriptions\`. */
export type OperationName =${toUnion(operationNames(operations))};

/** The id of a rule that refuses: \`auth.scope\`. */
export type RuleId =${toUnion(allRules.map(({ id }) => id))};

/** What moves a record of each kind by hand. */
export interface MoveNames {
${(Object.keys(lifecycleKinds) as StatefulName[]).map(toMoves).join('\n')}
}
`;
}

function toMoves(name: StatefulName): string {
  const { rows } = lifecycleKinds[name].table;
  const events = rows.filter(({ by }) => by.includes('hand')).map(({ event }) => event);
  return `  readonly ${toProperty(toKind(name))}: ${[...new Set(events)].map((event) => `'${event}'`).join(' | ')};`;
}

const toProperty = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`);

/** One name on each line, so that a new name changes only its own line. */
function toUnion(names: readonly string[]): string {
  const sorted = [...new Set(names)].toSorted();
  return sorted.map((name) => `\n  | '${name}'`).join('');
}

if (process.argv[1] === import.meta.filename)
  await withEmulator((emulator) => writeFileSync(namesFile, toNamesText(emulator)));
