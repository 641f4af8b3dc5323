import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Bounds } from './bounds.ts';
import { bool, orNull, record, whole } from './shape.ts';

/** The settings of the window, separate from everything that belongs to the emulator. */
export interface WindowSettings {
  readonly bounds: Bounds | null;
  readonly maximized: boolean;
}

export interface SettingsFile {
  get(): WindowSettings;
  /** Writes at once; a settings file is small. */
  change(part: Partial<WindowSettings>): void;
}

const first: WindowSettings = { bounds: null, maximized: false };
const pixels = whole(-100_000, 100_000);
const isWindowSettings = record<WindowSettings>({
  bounds: orNull(record<Bounds>({ x: pixels, y: pixels, width: pixels, height: pixels })),
  maximized: bool,
});

/** Opens the file; a missing or invalid one counts as a first start. */
export function openSettings(file: string, onProblem: (problem: string) => void): SettingsFile {
  let settings = read(file);
  return {
    get: () => settings,
    change(part) {
      settings = { ...settings, ...part };
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.new`, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch (error) {
        onProblem(`The window's settings could not be saved in ${file}: ${(error as Error).message}`);
      }
    },
  };
}

function read(file: string): WindowSettings {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isWindowSettings(value) ? value : first;
  } catch {
    return first;
  }
}
