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

/** The properties of an output that decide how a line is written. */
export interface Screen {
  readonly colours: boolean;
  /** Infinity if the output is not a terminal: a line then stays one line, for grep. */
  readonly columns: number;
  /** The day on this machine, if lines of other days have to name theirs; undefined for lines about the present. */
  readonly today?: string;
}

/**
 * The screen of a stream. A terminal has colours, unless `NO_COLOR` is set; `FORCE_COLOR` turns them on or off
 * everywhere.
 */
export function toScreen(output: Output, env: NodeJS.ProcessEnv): Screen {
  const forced = env['FORCE_COLOR'];
  const isTerminal = output.isTTY === true;
  // Node would treat an empty NO_COLOR as set.
  const colours =
    forced !== undefined && forced !== ''
      ? !/^(?:0|false)$/.test(forced)
      : !env['NO_COLOR'] && isTerminal && output.hasColors?.({ ...env, NO_COLOR: undefined }) === true;
  return { colours, columns: isTerminal ? output.columns || 80 : Infinity };
}

/** The parts of a process that a command uses: where it prints, and the exit code. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream & Output;
  readonly stderr: NodeJS.WritableStream & Output;
  exitCode?: NodeJS.Process['exitCode'];
}

/**
 * The signals that end a program: from a person, a supervisor or a terminal that is closed, and Ctrl+Break on Windows.
 */
export const endings = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** The screen on which a command prints its results. */
export function screenOf({ stdout }: Terminal): Screen {
  return toScreen(stdout, process.env);
}

/** The same for a list of past things: its lines name the day if it is not today. */
export function listScreenOf(terminal: Terminal): Screen {
  return { ...screenOf(terminal), today: toDay(new Date(createClock().wall())) };
}

/** The day on this machine: `2026-01-31`. */
export function toDay(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${time.getFullYear()}-${month}-${day}`;
}

/**
 * Joins parts to one line. Control characters and line breaks in them are escaped, so that received text cannot control
 * the terminal.
 */
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
 * Wraps painted lines between words if they are wider than the screen, because a terminal would cut a word in two. The
 * next lines begin below the last column of text in the left half of the line; two spaces separate columns.
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

/** The start of the last column of text that does not begin beyond `most`. */
function columnBefore(line: string, most: number): number {
  const starts = [...line.matchAll(/ {2,}/g)].map(({ index, 0: gap }) => index + gap.length);
  return starts.findLast((start) => start <= most) ?? 0;
}

const visible = stripVTControlCharacters;

/** Indents a line to go below one that begins with the time of day: it begins below the text after the time. */
export function indented(line: string): string {
  return `${' '.repeat(9)}${line}`;
}

function widthOf(parts: readonly Part[]): number {
  return parts.reduce((width, [text]) => width + toPrintableLine(text).length, 0);
}
