/**
 * Finds the frame of the stack that is the developer's own. Part of the preload: it imports nothing but Node and files
 * of this folder.
 */
import { findSourceMap, type SourceMap } from 'node:module';
import paths from 'node:path';
import { fileURLToPath } from 'node:url';
import { mapOfEvaluated } from './evaluated.ts';

/** How many frames are searched: the frames of libraries are between the program and the connection. */
const mostFrames = 60;

/**
 * The innermost frame that is neither of Node nor of a package; null if the program is not on the stack, or has
 * replaced the formatting of stacks with a function that fails.
 */
export function callSite(): string | null {
  try {
    return findSite();
  } catch {
    return null;
  }
}

function findSite(): string | null {
  let compiled: ReadonlySet<string> | undefined;
  for (const line of stackHere().split('\n').slice(1)) {
    // A folder may have a bracket in its name, as route groups of web frameworks do.
    const [, bracketed, bare] = /^\s*at (?:.*? \((.*)\)|(?:async )?(.*))$/.exec(line) ?? [];
    const [, place = '', row = '', column = ''] = /^(.+):(\d+):(\d+)$/.exec(bracketed ?? bare ?? '') ?? [];
    if (toPath(place) === null) continue;
    const frame = { place, row: Number(row), column: Number(column) };
    const map = findSourceMap(place) ?? mapOfEvaluated(place);
    compiled ??= map === undefined ? undefined : compiledFrames();
    const source = map !== undefined && compiled?.has(keyOf(frame)) ? toSource(map, frame) : frame;
    const path = toPath(source.place);
    if (path !== null) return `${path}:${source.row}:${source.column}`;
  }
  return null;
}

interface Frame {
  readonly place: string;
  readonly row: number;
  readonly column: number;
}

const keyOf = ({ place, row, column }: Frame): string => `${place}:${row}:${column}`;

/** The place in the source of a frame in compiled code; the frame itself if the map does not say. */
function toSource(map: SourceMap, frame: Frame): Frame {
  const entry = map.findEntry(frame.row - 1, frame.column - 1);
  // Code that the compiler added has no source.
  if (!('originalSource' in entry) || typeof entry.originalSource !== 'string') return frame;
  return {
    place: fullName(entry.originalSource, frame.place),
    row: entry.originalLine + 1,
    column: entry.originalColumn + 1,
  };
}

/** The full name of a source. Some maps give it relative to the compiled file. */
function fullName(source: string, compiled: string): string {
  return /^[a-z][\w+.-]*:/i.test(source) ? source : paths.resolve(paths.dirname(compiled), source);
}

/**
 * The places of the stack in the code that runs. A frame of the text that is among them was not mapped to its source:
 * servers that compile at each change, such as that of Next.js, write such stacks.
 */
function compiledFrames(): ReadonlySet<string> {
  const write = Error.prepareStackTrace;
  Error.prepareStackTrace = (_, frames) => frames;
  try {
    const frames = stackOf() as readonly NodeJS.CallSite[];
    return new Set(
      frames.map((frame) =>
        keyOf({
          place: frame.getScriptNameOrSourceURL() ?? '',
          row: frame.getLineNumber() ?? 0,
          column: frame.getColumnNumber() ?? 0,
        }),
      ),
    );
  } finally {
    Error.prepareStackTrace = write;
  }
}

/**
 * The stack as text; empty if the program has replaced the formatting of stacks with a function that returns no text.
 */
function stackHere(): string {
  const stack = stackOf();
  return typeof stack === 'string' ? stack : '';
}

function stackOf(): unknown {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = mostFrames;
  try {
    return (new Error('The place of this call.') as { readonly stack?: unknown }).stack;
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function toPath(place: string): string | null {
  if (place === '' || place.startsWith('node:') || place.startsWith('internal/') || place.includes('<')) return null;
  const path = place.startsWith('file:') ? fromUrl(place) : place;
  if (/[/\\]node_modules[/\\]/.test(path) || path === __filename) return null;
  return fromFolder(process.cwd(), path);
}

/**
 * Returns the URL itself if it is not of a file on this system: compiled code and its map may have been made on another
 * one.
 */
function fromUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

/**
 * A path as a person in a folder writes it: relative if it is below. Not every place is a path: bundlers use their own
 * names.
 */
export function fromFolder(folder: string, path: string, { isAbsolute, relative } = paths): string {
  if (!isAbsolute(path)) return path;
  const below = relative(folder, path);
  return below.startsWith('..') || isAbsolute(below) ? path : below;
}
