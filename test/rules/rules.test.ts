import { describe, expect, test } from 'vitest';
import { allRules } from '../../emulator/features/index.ts';
import { startSandbox } from '../support/sandbox.ts';
import { applyFix } from './apply-fix.ts';
import { violations } from './index.ts';

describe('every rule refuses its violation, says why, and is content with its own fix', () => {
  test.for(violations.map((violation) => [violation.rule, violation] as const))('%s', async ([rule, violation]) => {
    const sandbox = await startSandbox();
    try {
      const request = { ...violation.request, ...(await violation.before?.(sandbox)) };
      const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
      const refused = await sandbox.call(request.method, request.path, request);
      expect(refused.rule, refused.text).toBe(rule);
      expect(JSON.stringify(sandbox.emulator.deps.store.toDocument()), 'a refusal changes nothing').toBe(before);

      const { refusal } = await refused.exchange();
      const registered = allRules.find(({ id }) => id === rule);
      expect(refusal).toMatchObject({ rule, section: registered?.section, says: registered?.says });
      expect(refused.status).toBe(registered?.status);
      expect(refused.headers.get('x-sandbox-explain')).toContain('/#/requests/req_');
      expect(refusal?.message.length).toBeGreaterThan(10);
      expect(refusal?.fix.say).not.toBe('');

      if (violation.noEdit !== undefined) {
        expect(refusal?.fix.edits).toEqual([]);
        return;
      }
      expect(refusal?.fix.edits, 'a fix that a program can apply').not.toEqual([]);
      const fixed = applyFix(request, refusal?.fix.edits ?? []);
      const answer = await sandbox.call(fixed.method, fixed.path, fixed);
      expect(answer.rule, `after the fix: ${answer.text}`).not.toBe(rule);
    } finally {
      await sandbox.close();
    }
  });
});

/** A client that falls silent for 30 s: test/http/body.test.ts proves it with a shorter time. */
const elsewhere = ['body.too-slow'];

test('every registered rule has a violation in this suite', () => {
  const covered = new Set([...violations.map(({ rule }) => rule), ...elsewhere]);
  expect(allRules.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
});

test('rule ids are unique', () => {
  const ids = allRules.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});
