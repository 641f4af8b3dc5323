import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { correctJson } from '../../emulator/http/body/correct-json.ts';
import { atOnce } from '../../emulator/time/slices.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

const headers = { 'content-type': 'application/json' };
const post = (raw: string, path = '/events/custom') => sandbox.call('POST', path, { raw, headers });

async function fixOf(raw: string, path?: string) {
  const answer = await post(raw, path);
  expect(answer.rule).toBe('body.json');
  return (await answer.exchange()).refusal?.fix;
}

const user = '"user":{"email":"ada@example.com"}';
const quotes = 'Write texts in double quotation marks.';
const names = 'Write names in double quotation marks.';
const words =
  'Write true, false and null instead of True, False and None: a Python dict is not JSON, so send it with json=… or json.dumps(…).';

test.for([
  [`{"type":"Visit",  ${user} , }`, `{"type":"Visit",  ${user}  }`, 'Leave out the comma before }.'],
  [
    `{"type":"Visit",${user}, // why\n}`,
    `{"type":"Visit",${user} \n}`,
    'Leave out comments. Leave out the comma before }.',
  ],
  [`\ufeff{"type":"Visit",${user}}`, `{"type":"Visit",${user}}`, 'Leave out the byte order mark.'],
  [`{"type":\u00a0"Visit",${user}}`, `{"type": "Visit",${user}}`, 'Write a space instead of U+00A0.'],
  [
    `{'type': 'Visit', 'user': {'email': 'ada@example.com'}, 'properties': {'isNew': True, 'at': None}}`,
    `{"type": "Visit", "user": {"email": "ada@example.com"}, "properties": {"isNew": true, "at": null}}`,
    `${quotes} ${words}`,
  ],
  [
    `{'type': 'Visit', 'properties': {'a': 'it\\'s "new"'}, ${user}}`,
    `{"type": "Visit", "properties": {"a": "it's \\"new\\""}, ${user}}`,
    quotes,
  ],
  [`{“type”: “Visit”, ${user}}`, `{"type": "Visit", ${user}}`, quotes],
  [`{"type":"Visit","user":{"phone":+15555550100}}`, `{"type":"Visit","user":{"phone":"+15555550100"}}`, quotes],
  [
    `{type:"Visit",user:{email:ada@example.com}}`,
    `{"type":"Visit","user":{"email":"ada@example.com"}}`,
    `${names} ${quotes}`,
  ],
  [`{"type":"Visit", # why\n${user}}`, `{"type":"Visit", \n${user}}`, 'Leave out comments.'],
  [`{"type":"Visit" ${user}}`, `{"type":"Visit", ${user}}`, 'Write a comma between two values.'],
  [`{"type":"Visit";${user}}`, `{"type":"Visit",${user}}`, 'Write commas instead of semicolons.'],
  [`{"type"=>"Visit",${user}}`, `{"type":"Visit",${user}}`, 'Write a colon after a name.'],
  [`{"type":"Visit\n two",${user}}`, `{"type":"Visit\\n two",${user}}`, 'Write \\n for a line break in a text.'],
  [
    `{"type":"Visit","properties":{"a":"C:\\dir"},${user}}`,
    `{"type":"Visit","properties":{"a":"C:\\\\dir"},${user}}`,
    'Write two backslashes for one in a text.',
  ],
  [
    `{"type":"Visit","properties":{"a":"it\\'s"},${user}}`,
    `{"type":"Visit","properties":{"a":"it's"},${user}}`,
    "Leave out the backslash before '.",
  ],
  [
    `'{"type":"Visit",${user}}'`,
    `{"type":"Visit",${user}}`,
    "Leave out the quotation marks around the JSON. Leave out ' at the end.",
  ],
  [`{"type":"Visit",${user}}}`, `{"type":"Visit",${user}}`, 'Leave out } at the end.'],
  [`{"type":"Visit",${user}`, `{"type":"Visit",${user}}`, 'Write } at the end.'],
] as const)('the fix of %s sends %s, with nothing else changed, and is accepted', async ([raw, corrected, say]) => {
  expect(await fixOf(raw)).toEqual({ say, edits: [{ op: 'replace-body', text: corrected }] });
  expect((await post(corrected)).status).toBe(200);
});

const cut =
  'Send the whole body: it ends too early. If your code sets its Content-Length, count bytes, not characters.';

test.for([
  [`{"signUpSourceId":"100001","user":{"phone":"+155555501`, cut],
  [`{"signUpSourceId":"100001","user":{"phone":"+15555550100"`, cut],
  [`{"type":"Café",${user}`, cut],
  [`{${user},"items":[{"productId":"A","productVariantId":"B","price":[{"value":19`, cut],
  [`{${user},"items":[{"productId":"A","productVariantId":"B","price":[{"value":19.`, cut],
  [`{"type":"Visit",${user},"properties":{"isNew":tru`, cut],
  [`{"type":"Visit",`, cut],
  [`{"type":"Visit","a":NaN}`, 'Write a number or null: JSON has no NaN and no Infinity.'],
  [`{"type":"C:\\new\\dir",${user}}`, 'Write two backslashes for one in a text.'],
  [`{"type":"a "new" one",${user}}`, 'Write \\" for a quotation mark in a text.'],
  [`{'type':'it's',${user}}`, `${quotes} Correct the JSON at line 1, column 13.`],
  [`{"type":"Visit","a":01}`, 'Write numbers without a zero before them, or as texts in double quotation marks.'],
  [`{"type":["Visit"}`, 'Close [ before }.'],
  ['{"type":"Visit"} {"type":"Sale"}', 'Send one JSON value, and nothing after it.'],
  ['type=Visit', 'Send JSON, such as {"name":"value"}.'],
] as const)('how to correct %s is only said, because what was meant is not certain', async ([raw, say]) => {
  expect(await fixOf(raw, '/subscriptions')).toEqual({ say, edits: [] });
});

test('a body of 200 KB is corrected too, and of a larger one the first mistake is explained', async () => {
  const event = (size: number) => `{"type":"Visit","properties":{"a":"${'x'.repeat(size)}"},${user},}`;
  expect((await fixOf(event(200_000)))?.edits).toEqual([
    { op: 'replace-body', text: event(200_000).replace(',}', '}') },
  ]);
  expect(await fixOf(event(300_000))).toEqual({ say: 'Leave out the comma before }.', edits: [] });
});

test('a corrected text is always JSON', () => {
  const signs = `{ } [ ] , : ; = " ' “c” "a" "b": 'a' a: 1 True null +15555550100 \\ \\n \\d /*x*/ é`.split(' ');
  const pieces = fc.constantFrom(...signs, ' ', '\n', '\t', '// y\n', '# z\n', '\ufeff');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const { corrected = null } = atOnce(correctJson(parts.join(''), 1_000)) ?? {};
      expect(() => (corrected === null ? null : (JSON.parse(corrected) as unknown))).not.toThrow();
    }),
    { numRuns: 5_000 },
  );
});
