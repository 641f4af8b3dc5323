import { stripVTControlCharacters, styleText } from 'node:util';
import { toPrintableLine } from '../contract/printable.ts';
import { createClock } from '../time/clock.ts';

type Format = Parameters<typeof styleText>[0];

/** A piece of a line, and its style if colours are shown. */
export type Part = readonly [text: string, format?: Format];

/** A stream that may be a terminal. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(env: NodeJS.ProcessEnv): boolean;
}

/** What a line may count on. */
export interface Screen {
  readonly colours: boolean;
  /** Infinity if the output is not a terminal: then a line stays one line, for grep. */
  readonly columns: number;
  /** The day on this machine, for lines of other days, which then name theirs; none for lines of what happens now. */
  readonly today?: string;
}

/** What a stream shows: colours on a terminal, unless `NO_COLOR` is set; always, or never, by `FORCE_COLOR`. */
export function toScreen(output: Output, env: NodeJS.ProcessEnv): Screen {
  const forced = env['FORCE_COLOR'];
  const isTerminal = output.isTTY === true;
  // Node would take an empty NO_COLOR for one that is set.
  const colours =
    forced !== undefined && forced !== ''
      ? !/^(?:0|false)$/.test(forced)
      : !env['NO_COLOR'] && isTerminal && output.hasColors?.({ ...env, NO_COLOR: undefined }) === true;
  return { colours, columns: isTerminal ? output.columns || 80 : Infinity };
}

/** Where a command prints, and the code that it ends with: what a process has of it. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream & Output;
  readonly stderr: NodeJS.WritableStream & Output;
  exitCode?: NodeJS.Process['exitCode'];
}

/** The signals that end a program: of a person, of a supervisor, of a terminal that is closed, and on Windows Ctrl+Break. */
export const endings = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** The screen on which a command prints its results. */
export function screenOf({ stdout }: Terminal): Screen {
  return toScreen(stdout, process.env);
}

/** The same for a list of what was: its lines name the day if that is not today. */
export function listScreenOf(terminal: Terminal): Screen {
  return { ...screenOf(terminal), today: toDay(new Date(createClock().wall())) };
}

/** The day on this machine: `2026-01-31`. */
export function toDay(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${time.getFullYear()}-${month}-${day}`;
}

/** Parts as one line. Control characters and line breaks in them are written out, so that nothing received can steer the terminal. */
export function paint(parts: readonly Part[], { colours }: Screen): string {
  return parts
    .map(([text, format]) => {
      const safe = toPrintableLine(text);
      return colours && format !== undefined && safe !== '' ? styleText(format, safe, { validateStream: false }) : safe;
    })
    .join('');
}

/** A line of two halves; if it is wider than the screen, the second one is on a separate line. */
export function paintLine(head: readonly Part[], tail: readonly Part[], screen: Screen): string {
  if (tail.length === 0) return paint(head, screen);
  const isNarrow = widthOf(head) + 2 + widthOf(tail) > screen.columns;
  const between = isNarrow ? `\n${indented('')}` : '  ';
  return wrap(paint(head, screen) + between + paint(tail, screen), screen);
}

/**
 * Painted lines, wrapped between words where they are wider than the screen: a terminal would cut a word in two. What
 * follows begins below the last column that two spaces set apart in the left half of the line.
 */
export function wrap(text: string, { columns }: Pick<Screen, 'columns'>): string {
  return text
    .split('\n')
    .map((line) => (visible(line).length > columns ? wrapLine(line, columns) : line))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  const margin = ' '.repeat(columnBefore(visible(line), columns / 2));
  const lines: string[] = [];
  let current = '';
  for (const word of line.match(/\s*\S+/g) ?? []) {
    const isFull = current !== '' && visible(current + word).length > columns;
    if (isFull) lines.push(current);
    current = isFull ? margin + word.trimStart() : current + word;
  }
  return [...lines, current].join('\n');
}

/** Where the last column begins that is not beyond `most`. */
function columnBefore(line: string, most: number): number {
  const starts = [...line.matchAll(/ {2,}/g)].map(({ index, 0: gap }) => index + gap.length);
  return starts.findLast((start) => start <= most) ?? 0;
}

const visible = stripVTControlCharacters;

/** A line below one that begins with the time of day, and below what follows the time. */
export function indented(line: string): string {
  return `${' '.repeat(9)}${line}`;
}

function widthOf(parts: readonly Part[]): number {
  return parts.reduce((width, [text]) => width + toPrintableLine(text).length, 0);
}
