/**
 * The source maps of code that a program evaluates, as the development servers of Vite do. Node keeps only the maps of
 * files, and only with `--enable-source-maps`. Part of the preload: it imports nothing but Node.
 */
import { SourceMap, type SourceMapPayload } from 'node:module';
import vm from 'node:vm';

/**
 * The URL of the source map that a comment in the code has, by the name of the code. The map is read once, when needed.
 */
const evaluated = new Map<string, { readonly url: string; map?: SourceMap | undefined }>();

/**
 * Notes each async function that is made from a text, and each text that is run: Vite evaluates modules in these ways.
 */
export function watchEvaluated(): void {
  const prototype = Object.getPrototypeOf(async () => {}) as { readonly constructor: FunctionConstructor };
  const noted = new Proxy(prototype.constructor, {
    construct(made, args, as) {
      const code: unknown = args.at(-1);
      if (typeof code === 'string') note(noteOf(code, 'sourceURL'), code);
      return Reflect.construct(made, args, as) as object;
    },
  });
  Reflect.defineProperty(prototype, 'constructor', { value: noted, configurable: true });
  vm.runInThisContext = new Proxy(vm.runInThisContext, {
    apply(run, self, args: Parameters<typeof vm.runInThisContext>) {
      const [code, options] = args;
      if (typeof code === 'string') note((typeof options === 'string' ? options : options?.filename) ?? null, code);
      return Reflect.apply(run, self, args) as unknown;
    },
  });
}

/** Keeps nothing for code without a map: a program may run any number of texts, each with its own name. */
function note(name: string | null, code: string): void {
  if (name === null) return;
  const url = noteOf(code, 'sourceMappingURL');
  if (url === null) evaluated.delete(name);
  else evaluated.set(name, { url });
}

/** The value in a comment at the end of the code, such as `//# sourceURL=/src/shop.ts`. */
function noteOf(code: string, kind: 'sourceURL' | 'sourceMappingURL'): string | null {
  const start = `//# ${kind}=`;
  const at = code.lastIndexOf(start);
  if (at === -1) return null;
  const end = code.indexOf('\n', at);
  return code.slice(at + start.length, end === -1 ? undefined : end).trim();
}

/** The map of evaluated code; undefined if it has none. */
export function mapOfEvaluated(name: string): SourceMap | undefined {
  const known = evaluated.get(name);
  if (known !== undefined && !('map' in known)) known.map = toMap(known.url);
  return known?.map;
}

function toMap(url: string): SourceMap | undefined {
  const [, base64, data] = /^data:application\/json[^,]*?(;base64)?,(.*)$/.exec(url) ?? [];
  if (data === undefined) return undefined;
  try {
    const json = base64 === undefined ? decodeURIComponent(data) : Buffer.from(data, 'base64').toString();
    return new SourceMap(JSON.parse(json) as SourceMapPayload);
  } catch {
    // The line is then that of the code that runs.
    return undefined;
  }
}
