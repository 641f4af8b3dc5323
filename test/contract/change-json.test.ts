import { expect, test } from 'vitest';
import { changeJson, type JsonChange } from '../../emulator/contract/change-json.ts';

const leaveOut = (pointer: string): JsonChange => ({ pointer, toText: () => null });

test.each([
  ['{"a":1,"b":2}', '{"b":2}'],
  ['{"b":2,"a":1}', '{"b":2}'],
  ['{ "a":1 , "c":3 , "b":2 }', '{ "b":2 }'],
  ['{"a":1, "c":3}', '{}'],
  ['{"b":2,"a":1,"c":3}', '{"b":2}'],
  ['{"a":1,"b":2,"a":{},"c":3,"d":4}', '{"b":2,"d":4}'],
])('of %s without a and c is left %s', (text, left) => {
  expect(changeJson(text, [leaveOut('/a'), leaveOut('/c')])).toBe(left);
});

test('thousands of changes of a long text take hardly longer than one', () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `name${at}`);
  const text = `{${names.map((name) => `"${name}":1`).join(',')},"long":"${'x'.repeat(32_000_000)}"}`;
  const changes = names.map((name): JsonChange => ({ pointer: `/${name}`, toText: () => '2' }));
  const began = process.cpuUsage();
  expect(changeJson(text, changes).slice(0, 24)).toBe('{"name0":2,"name1":2,"na');
  // Processor time, because other processes use the machine, too: a copy of the text for each change took seven seconds of it, and more of the system.
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(4);
});
