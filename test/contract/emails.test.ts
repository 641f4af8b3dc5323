import { expect, test } from 'vitest';
import { isEmail } from '../../emulator/contract/formats.ts';

test.each([
  'ada@example.com',
  "o'hara+tag@mail.example.co.uk",
  'ada@b\u00fccher.example',
  'j\u00f6rg@example.com',
  'ada@xn--bcher-kva.example',
  'ada@example.xn--p1ai',
  'ada@\u4f8b\u3048.\u30c6\u30b9\u30c8',
  'ada@1.example',
  'ada@localhost.test2',
])('%s is an email address', (text) => {
  expect(isEmail(text)).toBe(true);
});

test.each([
  'ada',
  'ada@localhost',
  'ada@example.com;',
  'ada@example.co,',
  'ada@example.co>',
  'ada@example.co/x',
  'ada@example.co:25',
  'ada@example.co)',
  'ada@exam_ple.com',
  'ada@example..com',
  'ada@example.com.',
  'ada@1.2',
  'ada@[127.0.0.1]',
  'ada\u200b@example.com',
  'ada@example\u200b.com',
  'ada@example.com\ufeff',
  'ada\u202e@example.com',
  'ada\u007f@example.com',
])('%j is not an email address', (text) => {
  expect(isEmail(text)).toBe(false);
});
