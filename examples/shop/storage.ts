import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** A company that installed the app. */
export interface Installation {
  readonly companyId: string;
  readonly companyName: string;
  readonly accessToken: string;
}

/** A webhook event that was taken. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly payload: unknown;
}

/** What the shop remembers. A real one has a database with a unique index on the events' ids. */
export interface Storage {
  installation(companyId: string): Installation | undefined;
  installations(): readonly Installation[];
  saveInstallation(installation: Installation): void;
  hasEvent(id: string): boolean;
  saveEvent(event: StoredEvent): void;
  events(): readonly StoredEvent[];
}

interface Content {
  readonly installations: readonly Installation[];
  readonly events: readonly StoredEvent[];
}

/** Opens a storage. @param file a JSON file; null keeps everything in memory */
export function openStorage(file: string | null): Storage {
  const known: Content =
    file !== null && existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Content)
      : { installations: [], events: [] };
  const installations = new Map(known.installations.map((one) => [one.companyId, one]));
  const events = new Map(known.events.map((one) => [one.id, one]));

  const save = (): void => {
    if (file === null) return;
    // Written next to it and renamed, so that a crash leaves the old file or the new one; only its owner may read tokens.
    const content: Content = { installations: [...installations.values()], events: [...events.values()] };
    writeFileSync(`${file}.new`, JSON.stringify(content, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };

  return {
    installation: (companyId) => installations.get(companyId),
    installations: () => [...installations.values()],
    saveInstallation(installation) {
      installations.set(installation.companyId, installation);
      save();
    },
    hasEvent: (id) => events.has(id),
    saveEvent(event) {
      events.set(event.id, event);
      save();
    },
    events: () => [...events.values()],
  };
}
