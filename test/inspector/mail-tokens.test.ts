import { expect, test } from 'vitest';
import { readMail } from '../../renderer/views/subscribers/mail-tokens.ts';
import { xss } from '../support/xss.ts';

/** `<p>a` as `P`, `a`. */
const read = (html: string): readonly string[] =>
  readMail(html).map((token) => (token.is === 'text' ? token.text : `${token.is === 'close' ? '/' : ''}${token.name}`));

test('tags and texts of an email are read in order', () => {
  expect(read('<p>One<br/> two</P><!-- <b> --><!doctype html><?xml ?>3 < 4')).toEqual([
    'P',
    'One',
    'BR',
    '/BR',
    ' two',
    '/P',
    '3 < 4',
  ]);
});

test('attributes are read as in browsers, and the first of each name counts', () => {
  const [anchor] = readMail(`<A/HREF = "a>b" title='c' checked href=d data-x=e>`);
  expect(anchor).toMatchObject({ is: 'open', name: 'A' });
  expect(anchor?.is === 'open' && [...anchor.attributes]).toEqual([
    ['href', 'a>b'],
    ['title', 'c'],
    ['checked', ''],
    ['data-x', 'e'],
  ]);
});

test('entities are resolved, and what the end of an element may leave out is added', () => {
  expect(read('<ul><li>a &amp; b&eacute;<li>&lt;b&gt;</ul>')).toEqual([
    'UL',
    'LI',
    'a & bé',
    '/LI',
    'LI',
    '<b>',
    '/LI',
    '/UL',
  ]);
  expect(readMail('<p title="&quot;1&quot;">')[0]).toMatchObject({ attributes: new Map([['title', '"1"']]) });
});

test('the content of scripts and style sheets is not read, and incomplete parts are left out', () => {
  expect(read('<style>p{}</style>a<SCRIPT>"</b>"</Script >b<script>c')).toEqual(['ab']);
  expect(read('a<p title="')).toEqual(['a']);
  expect(read('a<!-- b')).toEqual(['a']);
  expect(read(xss)).not.toContain('SCRIPT');
});

test.each(['<a "', '<svg></svg>', '</script', '<script></script', '<!--', '<', '"<b>', '&'])(
  'two hundred kilobytes of %s are read quickly',
  (part) => {
    const began = process.cpuUsage();
    readMail(part.repeat(200_000 / part.length));
    readMail(`<script>${part.repeat(200_000 / part.length)}`);
    // Processor time, because other processes use the machine, too: what takes this long here takes minutes for a large email.
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(10);
  },
);
