import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

interface Source {
  readonly path: string;
  readonly text: string;
  /** `later`: by `import()`, when it is needed. */
  readonly imports: readonly { readonly target: string; readonly typeOnly: boolean; readonly later: boolean }[];
}

function sourcesOf(folder: string): readonly Source[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(ts|vue)$/.test(entry.name))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const text = readFileSync(file, 'utf8');
      const imports = [
        ...text.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)';|import\('([^']+)'\)/gm),
      ].map((match) => {
        const specifier = match[2] ?? match[3] ?? '';
        const target = specifier.startsWith('.') ? relative(root, resolve(dirname(file), specifier)) : specifier;
        return { target, typeOnly: match[1] !== undefined, later: match[3] !== undefined };
      });
      return { path: relative(root, file), text, imports };
    });
}

const emulator = sourcesOf('emulator');

/** "file → import" for every import of `sources` that `isForbidden`. */
function offenders(
  sources: readonly Source[],
  isForbidden: (target: string, source: Source, typeOnly: boolean) => boolean,
): readonly string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter(({ target, typeOnly }) => isForbidden(target, source, typeOnly))
      .map(({ target }) => `${source.path} → ${target}`),
  );
}

/** Where the groups of features are connected. */
const wiring = ['emulator/features/index.ts', 'emulator/features/shared-operations.ts'];

const inside = (folder: string) => emulator.filter(({ path }) => path.startsWith(`emulator/${folder}/`));
const outside = (folder: string) => emulator.filter(({ path }) => !path.startsWith(`emulator/${folder}/`));

/**
 * Files at the root that any folder may import: the shared types, numbers from a seed, the machine's timers, and what differs
 * between systems.
 */
const shared = ['errors', 'feed', 'ids', 'random', 'records', 'rules', 'globals', 'system'];

/** What each folder of the emulator may import from it, including types: other folders, and files at the root. */
const rooms: { readonly [room: string]: readonly string[] } = {
  contract: [],
  machine: ['records.ts', 'records/definition.ts'],
  records: ['contract', 'globals.ts'],
  net: ['contract'],
  store: ['contract', 'records', 'time'],
  time: ['machine', 'store'],
  people: ['contract', 'records', 'store', 'time'],
  delivery: ['contract', 'machine', 'net', 'people', 'records', 'store', 'time', 'notices.ts'],
  messages: ['contract', 'delivery', 'net', 'people', 'records', 'store', 'time'],
  objects: ['contract', 'net', 'store'],
  http: ['contract', 'delivery', 'features', 'net', 'objects', 'people', 'records', 'store', 'time', 'deps.ts'],
  features: ['contract', 'http', 'machine', 'people', 'records', 'store', 'time', 'deps.ts', 'notices.ts'],
  world: ['config', 'contract', 'declared-world', 'http', 'people', 'records', 'store', 'time'],
  control: [
    'declared-world',
    'production',
    'contract',
    'delivery',
    'features',
    'http',
    'machine',
    'messages',
    'net',
    'objects',
    'people',
    'records',
    'store',
    'time',
    'world',
    'deps.ts',
    'lifecycles.ts',
    'options.ts',
  ],
  production: [],
  config: ['contract', 'declared-world', 'http', 'records', 'time'],
  'declared-world': ['config', 'contract', 'features', 'http', 'people', 'records', 'store', 'time'],
  commands: [
    'config',
    'contract',
    'control/call.ts',
    'control/calls.ts',
    'control/client',
    'control/contract',
    'control/server/version.ts',
    'control/views.ts',
    'features',
    'http',
    'net',
    'production',
    'records',
    'store',
    'time',
    'declared-world/demo.ts',
    'options.ts',
    'start-emulator.ts',
  ],
  testing: [
    'contract',
    'control/call.ts',
    'control/calls.ts',
    'control/client',
    'control/contract',
    'control/rules/rule-registry.ts',
    'control/views.ts',
    'declared-world',
    'delivery',
    'http',
    'net',
    'records',
    'store',
    'time',
    'lifecycles.ts',
  ],
};

test('every folder of the emulator is in the list of allowed imports below', () => {
  const folders = new Set(emulator.flatMap(({ path }) => /^emulator\/([^/]+)\//.exec(path)?.[1] ?? []));
  expect([...folders].sort()).toEqual(Object.keys(rooms).sort());
});

test.each(Object.entries(rooms))('%s/ imports only what is below it', (room, allowed) => {
  const everywhere = ['contract', 'machine', 'records'].includes(room) ? [] : shared.map((name) => `${name}.ts`);
  const isAllowed = (target: string) =>
    [room, ...allowed, ...everywhere].some(
      (name) => target === `emulator/${name}` || target.startsWith(`emulator/${name}/`),
    );
  expect(offenders(inside(room), (target) => target.startsWith('emulator/') && !isAllowed(target))).toEqual([]);
});

/** What folders within http/ and delivery/ import of the one that they are in. */
const inner: { readonly [folder: string]: readonly string[] } = {
  'http/body': ['strict-rules.ts'],
  'http/faults': [],
  'http/record': ['shapes.ts'],
  'delivery/signature': ['shapes.ts'],
};

test.each(Object.entries(inner))('%s/ imports only these files of the folder that it is in: %j', (folder, allowed) => {
  expect(inside(folder).length).toBeGreaterThan(0);
  const around = `emulator/${dirname(folder)}/`;
  const isOwn = (target: string) => target.startsWith(`emulator/${folder}/`);
  expect(
    offenders(
      inside(folder),
      (target) => target.startsWith(around) && !isOwn(target) && !allowed.includes(target.slice(around.length)),
    ),
  ).toEqual([]);
});

/** Folders from which another one imports only types, nothing at run time. */
const typesOnly: readonly (readonly [room: string, target: string])[] = [
  ['machine', 'records.ts'],
  ['machine', 'records'],
  ['time', 'machine'],
  ['time', 'store'],
  ['people', 'store'],
  ['delivery', 'store'],
  ['messages', 'store'],
  ['objects', 'store'],
  ['http', 'features'],
  ['features', 'store'],
  ['world', 'http'],
];

test.each(typesOnly)('%s/ takes only types of %s', (room, name) => {
  const isValue = (target: string, _source: Source, typeOnly: boolean) =>
    !typeOnly && (target === `emulator/${name}` || target.startsWith(`emulator/${name}/`));
  expect(offenders(inside(room), isValue)).toEqual([]);
});

test('what a command does is loaded when it runs', () => {
  const needed = /^emulator\/commands\/(?:groups\/.*|apply-config\.ts|completion\.ts|connection\.ts)$/;
  const groups = inside('commands/groups');
  expect(groups.length).toBeGreaterThan(0);
  const early = groups.flatMap(({ path, imports }) =>
    imports
      .filter(({ target, typeOnly, later }) => target.startsWith('emulator/commands/') && !typeOnly && !later)
      .filter(({ target }) => !needed.test(target))
      .map(({ target }) => `${path} → ${target}`),
  );
  expect(early).toEqual([]);
});

test('groups of features never import one another', () => {
  const groupOf = (path: string) => path.split('/')[2]?.replace(/\.ts$/, '');
  const sources = inside('features').filter(({ path }) => !wiring.includes(path));
  expect(
    offenders(
      sources,
      (target, source) => target.startsWith('emulator/features/') && groupOf(target) !== groupOf(source.path),
    ),
  ).toEqual([]);
});

test('features import contract, machine, records, the http values that they consist of, small root files, and types', () => {
  const allowed =
    /^emulator\/(?:contract|machine|features|time|people|records)\/|^emulator\/http\/(?:endpoint|auth|scopes|error-text|page)\.ts$|^emulator\/[a-z-]+\.ts$/;
  const sources = inside('features').filter(({ path }) => !wiring.includes(path));
  expect(
    offenders(
      sources,
      (target, _source, typeOnly) => target.startsWith('emulator/') && !typeOnly && !allowed.test(target),
    ),
  ).toEqual([]);
});

test('only start-emulator, control/ and the test library know every kind of record with states, and deps.ts their types', () => {
  const isForbidden = (target: string, { path }: Source, typeOnly: boolean): boolean =>
    target === 'emulator/lifecycles.ts' &&
    path !== 'emulator/start-emulator.ts' &&
    !(typeOnly && path === 'emulator/deps.ts') &&
    !/^emulator\/(?:control|testing)\//.test(path);
  expect(offenders(emulator, isForbidden)).toEqual([]);
});

test('start-emulator is short: its parts are built in their own folders', () => {
  const start = emulator.find(({ path }) => path === 'emulator/start-emulator.ts');
  expect(start?.imports.length).toBeLessThan(35);
  expect(start?.text.split('\n').length).toBeLessThan(215);
});

test('a start loads no package that only some requests need', () => {
  const sources = new Map(emulator.map((source) => [source.path, source]));
  const loaded = new Set(['emulator/start-emulator.ts']);
  for (const path of loaded)
    for (const { target, typeOnly, later } of sources.get(path)?.imports ?? [])
      if (!typeOnly && !later) loaded.add(target);
  const packages = [...loaded].filter((target) => !/^(?:emulator|node:)/.test(target));
  expect(packages.toSorted()).toEqual(['@koa/router', 'fastest-levenshtein', 'koa', 'lowdb']);
});

test('code that is loaded into other programs imports only Node and the list of hosts', () => {
  const preload = emulator.filter(({ path }) =>
    /^emulator\/production\/(?:node-preload|call-site|frames|evaluated|test-name|hosts|lookups)\.ts$/.test(path),
  );
  expect(preload).toHaveLength(7);
  expect(
    offenders(
      preload,
      (target) =>
        !target.startsWith('node:') &&
        !/^emulator\/production\/(?:call-site|frames|evaluated|test-name|hosts|lookups)\.ts$/.test(target),
    ),
  ).toEqual([]);
});

test('only contract/ imports ajv, only store/ imports lowdb', () => {
  expect(offenders(outside('contract'), (target) => target === 'ajv' || target.startsWith('ajv/'))).toEqual([]);
  expect(offenders(outside('store'), (target) => target === 'lowdb' || target.startsWith('lowdb/'))).toEqual([]);
});

test('what a request can lead to refuses by rules: other mistakes are only those of commands, files and programs', () => {
  const mayThrow =
    /^emulator\/(?:commands|config|control\/client|net|production|testing)\/|^emulator\/(?:testing|errors|options|rules|world\/seed)\.ts$/;
  const throwing = emulator.filter(
    ({ path, text }) => !mayThrow.test(path) && /\bnew UserError\(|\bextends UserError\b/.test(text),
  );
  expect(throwing.map(({ path }) => path)).toEqual([]);
});

test('the client of the control API imports of its server only the contract', () => {
  expect(inside('control/client').length).toBeGreaterThan(0);
  expect(
    offenders(
      inside('control/client'),
      (target) =>
        target.startsWith('emulator/control/') &&
        !/^emulator\/control\/(?:call|calls|(?:client|contract)\/[\w-]+)\.ts$/.test(target),
    ),
  ).toEqual([]);
});

test('nothing in the emulator imports electron, the renderer or the tests', () => {
  expect(offenders(emulator, (target) => /^(?:electron|renderer|test)(?:\/|$)/.test(target))).toEqual([]);
});

test('only the clock reads the wall clock or sets timers', () => {
  const clock = [
    'emulator/time/clock.ts',
    'emulator/time/clock-state.ts',
    'emulator/time/due-queue.ts',
    'emulator/time/duration.ts',
    'emulator/time/wall-timers.ts',
  ];
  const reads =
    /Date\.now\(|new Date\(\)|performance\.now\(|(?<![.\w])(?:wallNow|monotonic)\(|(?<![.\w])set(?:Timeout|Interval)\(/;
  const readers = emulator.filter(
    ({ path, text }) => !clock.includes(path) && reads.test(text.replaceAll(/^\s*(?:\/\/|\*).*$/gm, '')),
  );
  expect(readers.map(({ path }) => path)).toEqual([]);
});

const renderer = sourcesOf('renderer');
const electron = sourcesOf('electron');

/** Every file that `path` imports, directly or indirectly, including types. */
function reachedFrom(path: string, targets: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const further = (targets.get(next) ?? []).filter((target) => !reached.has(target));
    for (const target of further) reached.add(target);
    open.push(...further);
  }
  return reached;
}

/** Groups of files in which each imports every other, directly or indirectly. */
function circlesOf(sources: readonly Source[]): readonly (readonly string[])[] {
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
  const reached = new Map(sources.map(({ path }) => [path, reachedFrom(path, targets)]));
  const circles = [...reached].map(([path, found]) =>
    [...found].filter((other) => reached.get(other)?.has(path)).sort(),
  );
  return [...new Map(circles.map((circle) => [circle.join(', '), circle])).values()];
}

test('there is no import cycle, including types, but in the form for a schema: its fields may have fields', () => {
  const circles = [emulator, renderer, electron].flatMap(circlesOf).filter(({ length }) => length > 0);
  expect(circles).toEqual([['renderer/views/try/ObjectFields.vue', 'renderer/views/try/SchemaField.vue']]);
});

test('only electron/ imports electron, from the emulator only how to start it, from the page only its sections', () => {
  expect(offenders([...emulator, ...renderer], (target) => target === 'electron')).toEqual([]);
  const allowed = [
    'emulator/start-emulator.ts',
    'emulator/options.ts',
    'emulator/config/options.ts',
    'emulator/http/choices.ts',
    'renderer/section-list.ts',
  ];
  const isForeign = (target: string) => /^(?:emulator|renderer)\//.test(target) && !allowed.includes(target);
  expect(offenders(electron, isForeign)).toEqual([]);
});

test('the inspector imports from the server and the shell only the types of their protocols, and shared values', () => {
  const protocols = ['emulator/control/calls.ts', 'electron/host-channels.ts'];
  const values = [
    'emulator/contract/cut-text.ts',
    'emulator/contract/digits.ts',
    'emulator/contract/message-events.ts',
    'emulator/contract/pointer.ts',
    'emulator/control/call.ts',
    'emulator/contract/printable.ts',
    'emulator/contract/secret-places.ts',
    'emulator/http/faults/effects.ts',
    'emulator/http/scopes.ts',
  ];
  expect(
    offenders(
      renderer,
      (target, _source, typeOnly) =>
        /^(?:emulator|electron)\//.test(target) &&
        !values.includes(target) &&
        !(typeOnly && protocols.includes(target)),
    ),
  ).toEqual([]);
});

/** What each folder of the page may import from the page, in addition to itself and the small files at its root. */
const below: { readonly [folder: string]: readonly string[] } = {
  'http-text': [],
  commands: [],
  kit: ['http-text', 'commands'],
  live: ['http-text', 'commands', 'kit'],
  parts: ['http-text', 'commands', 'kit', 'live'],
};

test.each(Object.entries(below))('in the page, %s/ imports only what is below it', (folder, allowed) => {
  const sources = renderer.filter(({ path }) => path.startsWith(`renderer/${folder}/`));
  expect(sources.length).toBeGreaterThan(0);
  const isBelow = (target: string) =>
    /^renderer\/(?:browser-storage|format|group|section-list)\.ts$/.test(target) ||
    [folder, ...allowed].some((name) => target.startsWith(`renderer/${name}/`));
  expect(offenders(sources, (target) => target.startsWith('renderer/') && !isBelow(target))).toEqual([]);
});

test('views import neither one another nor the frame around them', () => {
  const viewOf = (path: string) => /^renderer\/views\/[^/]+/.exec(path)?.[0];
  const views = renderer.filter(({ path }) => viewOf(path) !== undefined);
  expect(
    offenders(
      views,
      (target, { path }) =>
        /^renderer\/(?:frame|palette)\//.test(target) ||
        (viewOf(target) !== undefined && viewOf(target) !== viewOf(path)),
    ),
  ).toEqual([]);
});

test('what the browser keeps is read in one place, which checks its shape', () => {
  const reads = /\buse(?:Local|Session)?Storage\b|\b(?:local|session)Storage\.getItem\('(?!sandpiper\.token)/;
  expect(renderer.filter(({ text }) => reads.test(text)).map(({ path }) => path)).toEqual([
    'renderer/browser-storage.ts',
  ]);
});

test('captured content is always text: nothing in the inspector builds HTML from a string', () => {
  const makes = /\bv-html\b|\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\.write|:srcdoc\b/;
  expect(renderer.filter(({ text }) => makes.test(text)).map(({ path }) => path)).toEqual([]);
});

/** Members and variables that contain text for people; `text` and `title` mean much else too, so only members. */
const words = '(?:says|undone|redone|why|label|note|message|reason|problem|failure|sentence|error)(?:\\.value)?';
const member = String.raw`[\w?]\.(?:text|title)`;
const call = '(?:includes|startsWith|endsWith|match|matchAll|search|indexOf|split|replace|replaceAll)';
/** What a text goes through before it is compared: `.toLowerCase()`, `.trim()`. */
const reshaped = String.raw`(?:\??\.(?:toLowerCase|toUpperCase|toLocaleLowerCase|trim|trimStart|trimEnd|slice|at)\([^()]*\))*`;
/** A literal of several words; the name of an operation, such as `POST /subscriptions`, is none. */
const literal = ["'", '"', '`']
  .map(
    (quote) =>
      String.raw`${quote}(?![A-Z]+ /)(?=[A-Z]|[^ ${quote}]+ [^ ${quote}]+ )[^${quote}\n$]* [^${quote}\n$]*${quote}`,
  )
  .join('|');
/** A regular expression with two words in a row. */
const pattern = String.raw`/(?![/*])(?:[^/\n\\[]|\\.|\[[^\]\n]*\])*[a-z]{2} [a-z]{2}(?:[^/\n\\[]|\\.|\[[^\]\n]*\])*/[a-z]*`;
const matching = [
  // `says.startsWith('Waiting')`, `error.message.toLowerCase().includes(…)`, `problem.value?.split(…)`, `notice.text.match(…)`
  new RegExp(String.raw`(?:\b${words}|${member})(?: \?\? '')?\)?${reshaped}\??\.${call}\(`),
  // `/needs the (.+?);/.exec(message)`, `pattern.test(view.says)`
  new RegExp(String.raw`\.(?:test|exec)\((?:(?:[\w?.]*\.)?${words}|[\w?.]*${member})${reshaped}\)`),
  // `error.message === 'No such file'`, `one.says === other.says`; an empty text is none.
  new RegExp(String.raw`\.${words}${reshaped} *[!=]==(?! *(?:null|undefined|''))`),
  // Whatever the text is called: `title === 'No such file'`, `case 'No such file'`, `name.includes('No such file')`
  new RegExp(String.raw`[!=]== *(?:${literal})|(?:${literal}) *[!=]==|\bcase (?:${literal})|\.${call}\((?:${literal})`),
  // `/no such file/i.test(text)`, `text.match(/no such file/)`
  new RegExp(String.raw`${pattern}\.(?:test|exec)\(|\.${call}\(${pattern}`),
];

test.each([
  "says.startsWith('Waiting')",
  'error.message.toLowerCase().includes(wanted)',
  "(error?.message ?? '').includes(wanted)",
  "problem.value?.split(' ')",
  'notice.text.match(address)',
  "one.title?.startsWith('Webhook')",
  'pattern.test(view.says.trim())',
  'one.why.trim() === other.why',
  "title === 'No such file'",
  '`The file is gone` === text',
  "name.includes('No such file')",
  "case 'no such file':",
  '/no such file/i.test(text)',
  'text.match(/no such file/)',
])('the check for code that matches sentences finds %s', (line) => {
  expect(matching.some((one) => one.test(line))).toBe(true);
});

/** Code that only reformats a sentence, searches it for a person, or reads one from a library that offers no other form. */
const mayMatch: { readonly [path: string]: string } = {
  'emulator/delivery/failure-words.ts':
    'OpenSSL says what was wrong with TLS in its message only; and it adds the code of an error of Node, unless its message has it already.',
  'emulator/http/error-text.ts': 'Keeps characters that RFC 6749 forbids out of error_description.',
  'emulator/features/graphql/advice/problem.ts':
    'graphql-js has the kind of a problem, and the names that it is about and proposes, in its message only.',
  'emulator/features/graphql/advice/repairs.ts': 'The parser of graphql-js has what it expected in its message only.',
  'emulator/features/graphql/advice/syntax.ts': 'The parser of graphql-js has what it expected in its message only.',
  'emulator/features/graphql/rules.ts':
    'Takes the full stop off a sentence of graphql-js, whose kind is in its words only, to go on with it.',
  'emulator/features/graphql/variables.ts': 'graphql-js has the place in a variable in its message only.',
  'emulator/production/proxy.ts': 'The proxy library has why another proxy opened no tunnel in its log only.',
  'renderer/format.ts': 'Shows the ISO 8601 times in a text in the zone of the page, whatever the text says.',
  'renderer/views/problems/OwnErrorRow.vue': 'Shows the lines of a stack below its first one, whatever they say.',
};

test('no code matches or parses a sentence that is meant for people', () => {
  const all = [...emulator, ...renderer, ...electron];
  const found = all.filter(({ text }) => matching.some((one) => one.test(text))).map(({ path }) => path);
  expect(found.toSorted()).toEqual(Object.keys(mayMatch).toSorted());
});
