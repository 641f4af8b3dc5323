import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { schemaFiles } from '../tools/schema-files.ts';

/** As a project would compile it that has Ajv: strict by default, with the formats of ajv-formats. */
function compiled(name: string) {
  const ajv = new Ajv2020({ strictTypes: false });
  ajvFormats.default(ajv);
  return ajv.compile(JSON.parse(schemaFiles[name] ?? '') as object);
}

test('the published schema of worlds can be compiled by a strict validator, and takes every form of a time', () => {
  const isWorld = compiled('world.schema.json');
  const at = (time: string) => ({
    companies: [{ name: 'Acme' }],
    clock: { time },
    webhooks: [{ url: 'http://localhost:3000/hooks', events: ['sms.sent'] }],
  });
  expect(['2026-12-01T00:00:00Z', '2026-12-01T00:00:00+0000'].map((time) => isWorld(at(time)))).toEqual([true, true]);
  expect(isWorld({})).toBe(false);
});

test('the published schema of configs can be compiled by a strict validator, and refuses what a start refuses', () => {
  const isConfig = compiled('config.schema.json');
  const accepted = [{ memory: true }, { data: 'x', memory: false }, { data: 'x' }, { token: 'x' }];
  const refused = [{ memory: true, data: 'x' }, { token: '' }];
  expect([accepted.map((config) => isConfig(config)), refused.map((config) => isConfig(config))]).toEqual([
    [true, true, true, true],
    [false, false],
  ]);
});
