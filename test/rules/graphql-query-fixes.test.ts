/** Mistakes in the text of a query: the place is a line and a column, and the edit changes only what is there. */
import { expect, test } from 'vitest';
import type { RefusalView } from '../../emulator/control/calls.ts';
import { useSandbox } from '../support/sandbox.ts';
import { applyFix } from './apply-fix.ts';

const sandbox = useSandbox();

interface Body {
  readonly query: string;
  readonly variables?: object;
  readonly operationName?: string;
}

async function refusalOf(json: Body): Promise<RefusalView | null> {
  const answer = await sandbox.call('POST', '/graphql', { json });
  expect(answer.status).toBe(200);
  return (await answer.exchange()).refusal;
}

const inQuery = { in: 'body', at: '/query' };
const event = (input: string): string => `mutation {\n  createCustomEvent(input: { ${input} }) { type }\n}`;
const user = 'user: { email: "ada@example.com" }';
const locale = 'locale: { language: "en", country: "US" }';
const subscribe = (input: string): string => `mutation {\n  subscribe(input: { ${user}, ${input} }) { __typename }\n}`;
const viewed = (product: string): string =>
  `mutation { productViewEvent(input: { visitor: { email: "ada@example.com" }, products: ${product} }) { occurredAt } }`;

/** What a query has, and what the fix writes there instead: `{ «viewr→viewer» { id } }`. */
const marks = /«([^→]*)→([^»]*)»/g;
const sentOf = (marked: string): string => marked.replaceAll(marks, '$1');
const fixedOf = (marked: string): string => marked.replaceAll(marks, '$2');

function fixed(json: Body, refusal: RefusalView | null): Body {
  return applyFix({ method: 'POST', path: '/graphql', json }, refusal?.fix.edits ?? []).json as Body;
}

test.each([
  ['a phone', 'user.phone-e164', event('type: "t", user: { phone: «"(555) 555-0142"→"+15555550142"» }')],
  ['a phone in a block', 'user.phone-e164', event('type: "é😀", user: { phone: «"""555 555 0142"""→"+15555550142"» }')],
  [
    'an email address',
    'user.email',
    event('type: "t", # who\n user: { email: «"ada@@example.com"→"ada@example.com"» }'),
  ],
  [
    'a time',
    'event.occurred-at',
    event(`${user}, type: "t", occurredAt: «"2026-12-01 10:00Z"→"2026-12-01T10:00:00.000Z"»`),
  ],
  ['properties', 'graphql.properties-json', event(`${user}, type: "t", properties: «"{'a': 1}"→"{\\"a\\": 1}"»`)],
  [
    'a name in properties',
    'custom-events.property-key',
    event(`${user}, type: "t", properties: «"{\\"a|b\\": 1}"→"{\\"ab\\":1}"»`),
  ],
  [
    'an amount',
    'graphql.amount',
    viewed('[{ productId: "a", productVariantId: "b", productPrices: [{ amount: «"$5"→"5"» }] }]'),
  ],
  [
    'an amount without lists',
    'graphql.amount',
    viewed('{ productId: "a", productVariantId: "b", productPrices: { amount: «"$5"→"5"» } }'),
  ],
  [
    'a type of event',
    'webhooks.event-type',
    'mutation { createWebhook(input: { url: "http://localhost:9/", events: [«"sms.snt"→"sms.sent"»] }) { __typename } }',
  ],
  ['a number for a text', 'graphql.validation', event(`type: «1→"1"», ${user}`)],
  [
    'a number with many digits for a text',
    'graphql.validation',
    event(`type: «12345678901234567890→"12345678901234567890"», ${user}`),
  ],
  ['a text without quotation marks', 'graphql.validation', event(`type: «Visit→"Visit"», ${user}`)],
  ['a text for true', 'graphql.validation', subscribe('signupSourceId: "100001", singleOptIn: «"true"→true»')],
  [
    'seconds for a time',
    'graphql.validation',
    event(`type: "t", ${user}, occurredAt: «1795898955→"2026-11-28T20:49:15.000Z"»`),
  ],
  [
    'a text for a whole number',
    'graphql.validation',
    viewed('[{ productId: "a", productVariantId: "b", quantity: «"2.0"→2» }]'),
  ],
  ['a type of REST', 'graphql.validation', subscribe(`${locale}, type: «"MARKETNG"→TYPE_MARKETING»`)],
  ['a name of REST', 'graphql.validation', subscribe(`${locale}, «subscriptionType→type»: TYPE_MARKETING`)],
  [
    'an object in a list',
    'graphql.validation',
    event('type: "t", user: «[{ email: "ada@example.com" }]→{ email: "ada@example.com" }»'),
  ],
  ['a field beside the right one', 'graphql.validation', event(`«typ: "a", →»type: "b", ${user}`)],
  ['an argument', 'graphql.validation', '{ node(«idd→id»: "x") { id } }'],
  ['a field of introspection', 'graphql.validation', '{ viewer { «__typname→__typename» } }'],
  [
    'a field in another case',
    'graphql.validation',
    '{ viewer { «installed_application→installedApplication» { id } } }',
  ],
  ['a type', 'graphql.validation', '{ node(id: "x") { ... on «Usr→User» { id } } }'],
  ['other quotation marks', 'graphql.syntax', `{ node(id: «'x'→"x"») { id } }`],
  [
    'a phone without quotation marks',
    'graphql.syntax',
    event('type: "t", user: { phone: «+15555550142→"+15555550142"» }'),
  ],
  ['an equals sign', 'graphql.syntax', '{ node(id «=→:» "x") { id } }'],
  ['a bracket too many', 'graphql.syntax', '{ viewer { __typename } } «}→»'],
  [
    'the word for an operation',
    'graphql.syntax',
    '«mutaton→mutation» { createWebhook(input: { url: "http://localhost:9/" }) { __typename } }',
  ],
])('the place of %s (%s) is its line and column, and the fix changes only that', async (_what, rule, marked) => {
  const query = sentOf(marked);
  const before = sentOf(marked.slice(0, marked.indexOf('«'))).split('\n');
  const spot = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  const refusal = await refusalOf({ query });
  expect(refusal).toMatchObject({ rule, place: inQuery, value: query, facts: spot });
  expect(refusal?.fix.edits).toEqual([{ op: 'set', place: inQuery, value: fixedOf(marked) }]);
  expect(await refusalOf({ query: fixedOf(marked) })).toBeNull();
});

test.each([
  ['a field that was written twice', '{ a: «viewr→viewer» { __typename } b: «viewr→viewer» { __typename } }'],
  ['fields of a text', '{ viewer { installedApplication { id« { x }→» } } }'],
  ['arguments of a field that has none', '{ viewer« (a: 1)→» { __typename } }'],
  ['a directive', '{ viewer @«skp→skip»(if: false) { __typename } }'],
  [
    'a directive after a comment',
    '{ viewer { ...F # why\n «@defer→» \n __typename }\n} fragment F on Viewer { a: __typename }',
  ],
  ['a fragment', '{ viewer { ...«Prts→Parts» } } fragment Parts on Viewer { __typename }'],
  ['a fragment that nothing spreads', '{ viewer { __typename } }«\n\nfragment F on Viewer { __typename }→»\n'],
  ['a definition of a schema', '{ viewer { __typename } }« type A { id: ID }→»'],
  ['a variable that nothing reads', 'query Q($id: ID!«, $b: String = "("→») { node(id: $id) { id } }'],
  ['the only variable', 'query Q«($b: ID)→» { viewer { __typename } }'],
  ['a variable without a declaration', '«→query ($id: ID!) »{ node(id: $id) { id } }'],
  ['a variable without a declaration in an operation with a name', 'query Q«→($id: ID!)» { node(id: $id) { id } }'],
  [
    'a variable without a declaration beside another',
    'query ($b: ID! = "b"«→, $id: ID!») { nodes(ids: [$b, $id]) { id } }',
  ],
  ['a variable that is read by another name', 'query ($id: ID!) { node(id: $«idd→id») { id } }'],
  ['the type of a variable', 'query ($id: «UUID!→ID!») { node(id: $id) { id } }'],
  [
    'the type of a reply for a variable',
    'mutation ($user: «EventUser→EventUserInput!») { createCustomEvent(input: { type: "t", user: $user }) { type } }',
  ],
  ['an argument that is declared as a variable', 'query ($id: ID!) { node«→(id: $id)» { id } }'],
  ['a null in a list', '{ nodes(ids: ["a"«, null→», "b"]) { id } }'],
  ['names in quotation marks', event('«"type"→type»: "t", «"user"→user»: { «"email"→email»: "ada@example.com" }')],
  ['a bracket that is missing inside', event('type: "t", user: { email: "ada@example.com"«→ }»')],
  ['brackets of another script', '{ node«（→(»id: "x"«）→)» { id } }'],
  ['empty brackets', 'query« ()→» { viewer { __typename } }'],
  ['a colon', '{ node(id«→:» "x") { id } }'],
  ['semicolons', event(`type: "t"«;→,» ${user}`)],
  ['a comment', '{ viewer { __typename } } «//→#» done'],
  [
    'an email address without quotation marks',
    event('type: "t", user: { email: «ada@example.com→"ada@example.com"» }'),
  ],
  ['a sign without a meaning', '{ viewer «&→»{ __typename } }'],
  ['a character that is not seen', '{ viewer { __typename } }«\u200b→»'],
  ['an equals sign after query', 'query «=→»{ viewer { __typename } }'],
  ['an equals sign after another name for a field', '{ me «=→:» viewer { __typename } }'],
  ['braces around the query', '«→{ »viewer { __typename }«→ }»'],
  ['the quotation marks of JSON', '«"→»{ viewer { __typename } }«"→»'],
  ['the tag of a template', '«gql`→»{ viewer { __typename } }«`;→»'],
  ['the fences of Markdown', '«```graphql\n→»{ viewer { __typename } }«\n```→»'],
  ['the name of an argument', `mutation { createCustomEvent(«→input: »{ type: "t", ${user} }) { type } }`],
  ['the name of an argument before a variable', 'query ($id: ID!) { node(«→id: »$id) { id } }'],
  [
    'the fields of an object as arguments',
    `mutation { createCustomEvent(«→input: { »type: "t", ${user}«→ }») { type } }`,
  ],
  [
    'a field of a type further in',
    '{ viewer { __typename } «→viewer { installedApplication { »webhooks { url }«→ } }» }',
  ],
])('the fix of %s changes only that', async (_what, marked) => {
  const variables = { id: 'x', user: { email: 'ada@example.com' } };
  const json = { query: sentOf(marked), variables };
  expect(fixed(json, await refusalOf(json))).toEqual({ query: fixedOf(marked), variables });
  expect(await refusalOf({ query: fixedOf(marked), variables })).toBeNull();
});

test.each([
  ['another mutation', 'mutation { removeWebhook(input: { id: "x" }) { deleted } }'],
  ['a variable without a type', 'query ($id) { node(id: $id) { id } }'],
  ['a text without an end', '{ node(id: "x) { id } }'],
  ['a missing argument', '{ node { id } }'],
  ['a missing field', event(user)],
  ['fields of a type that is not read', '{ viewer }'],
  ['an argument that the field does not have beside others', '{ node(id: "x", name: "y") { id } }'],
  ['two values for one argument', '{ node(id: "a", id: "b") { id } }'],
  ['two fields of one name', '{ node(id: "a") { id } node(id: "b") { id } }'],
  ['a fragment that is not there', '{ viewer { ...Parts } }'],
  ['a number that is not whole', viewed('[{ productId: "a", productVariantId: "b", quantity: 1.5 }]')],
  ['a text for an object', event('type: "t", user: "ada@example.com"')],
  ['no query', '# nothing'],
  ['a field of several types further in', '{ viewer { name } }'],
  ['a sign between two words', '{ viewer.installedApplication { id } }'],
  ['a text around a template', 'gql`viewer`x'],
  ['brackets that are nested too deeply to be read', `${'{a'.repeat(9_000)}'`],
])('%s is explained, and the query stays as it is: %s', async (_what, query) => {
  const refusal = await refusalOf({ query });
  expect(refusal?.fix).toEqual({ say: expect.stringMatching(/^[A-Z].*\.$/s) as string, edits: [] });
  expect(refusal?.fix.say).not.toBe('Correct the query.');
});

test.each([
  ['a query', 'query ($t: ID! = "x") { node(id: $t) { id } }'],
  [
    'an input',
    'mutation ($t: String = "Visit") { createCustomEvent(input: { type: $t, user: { email: "ada@example.com" } }) { type } }',
  ],
  ['a directive', 'query ($t: Boolean = true) { viewer @include(if: $t) { __typename } }'],
])('a variable of %s with a default that was sent as null is left out by the fix', async (_what, query) => {
  const json = { query, variables: { t: null } };
  const refusal = await refusalOf(json);
  const place = { in: 'body', at: '/variables/t' };
  expect(refusal).toMatchObject({ rule: 'graphql.variables', place, fix: { edits: [{ op: 'remove', place }] } });
  expect(await refusalOf(fixed(json, refusal))).toBeNull();
});

test('an event that is written as in REST is written as in GraphQL by its fixes', async () => {
  const product = (price: string, name: string) => `{ productId: "a", productVariantId: "b", ${price}, ${name}: "n" }`;
  const view = (who: string, products: string) =>
    `mutation { productViewEvent(input: { ${who}: { email: "ada@example.com" }, ${products} }) { occurredAt } }`;
  let json: Body = { query: view('user', `items: [${product('price: [{ value: 19.90 }]', 'name')}]`) };
  const met: string[] = [];
  for (let refusal = await refusalOf(json); refusal; refusal = await refusalOf(json)) {
    expect(met).not.toContain(refusal.message);
    met.push(refusal.message);
    json = fixed(json, refusal);
  }
  expect(json.query).toBe(
    view('visitor', `products: [${product('productPrices: [{ amount: "19.90" }]', 'productName')}]`),
  );
});

test('a variable that was sent by another name, or by the name of REST, is sent by its own by the fix', async () => {
  const query = 'mutation ($input: SubscribeInput!) { subscribe(input: $input) { __typename } }';
  const input = { user: { email: 'ada@example.com' }, locale: { language: 'en', country: 'US' } };
  const misspelt = { query, variables: { inptu: { ...input, type: 'TYPE_MARKETING' } } };
  expect(fixed(misspelt, await refusalOf(misspelt))).toEqual({
    query,
    variables: { input: { ...input, type: 'TYPE_MARKETING' } },
  });
  const ofRest = { query, variables: { input: { ...input, subscriptionType: 'TRANSACTIONAL' } } };
  expect(fixed(ofRest, await refusalOf(ofRest))).toEqual({
    query,
    variables: { input: { ...input, type: 'TRANSACTIONAL' } },
  });
});

test('what is sent alone where a list is expected is corrected there', async () => {
  const query = 'mutation ($i: SendProductViewEventInput!) { productViewEvent(input: $i) { occurredAt } }';
  const product = { productId: 'a', productVariantId: 'b' };
  const withAmount = (amount: string): Body => ({
    query,
    variables: { i: { visitor: { email: 'ada@example.com' }, products: { ...product, productPrices: { amount } } } },
  });
  const refusal = await refusalOf(withAmount('$5'));
  expect(refusal?.place.at).toBe('/variables/i/products/productPrices/amount');
  expect(fixed(withAmount('$5'), refusal)).toEqual(withAmount('5'));
});

test('an operation is chosen by the fix only if the request shows which one is meant', async () => {
  const query = 'query List { viewer { __typename } } query Other { viewer { __typename } }';
  expect((await refusalOf({ query }))?.fix).toEqual({ say: 'Send operationName "List" or "Other".', edits: [] });
  const misspelt = { query, operationName: 'list' };
  expect(fixed(misspelt, await refusalOf(misspelt))).toEqual({ query, operationName: 'List' });
});

test('a message that ends with a question says the place in a sentence of its own', async () => {
  const refusal = await refusalOf({ query: "{ node(id: 'a') { id } }" });
  expect(refusal?.message).toMatch(/did you mean .*\? It is at line 1, column 12 of the query\.$/);
});

test('a text with spaces where a value of an enum is wanted gets the values to choose from', async () => {
  const query = 'mutation Subscribe($input: SubscribeInput!) { subscribe(input: $input) { __typename } }';
  const input = { user: { email: 'ada@example.com' }, type: 'texts about sales' };
  const refusal = await refusalOf({ query, variables: { input } });
  expect(refusal?.place).toEqual({ in: 'body', at: '/variables/input/type' });
  expect(refusal?.fix.say).toMatch(/^Send "TYPE_\w+"(?:, "TYPE_\w+")* or "TYPE_\w+"\.$/);
});
