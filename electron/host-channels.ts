/** What the page may ask of the shell: channel → its function. Types only; host-handlers.ts answers. */
export interface HostCalls {
  /** Shows the data file in its folder. @returns false where everything is in memory */
  'host:show-data-file': () => boolean;
  /** Tells the person through the system, throttled. @returns false while they look at the window anyway */
  'host:notify': (notice: HostNotice) => boolean;
  /** Starts the server again, on the same ports and with the same token. @returns why not, or null */
  'host:restart-server': () => Promise<string | null>;
}

/** The one channel the other way. */
export interface HostEvents {
  'host:command': (command: HostCommand) => void;
}

/** What the shell asks of the page: to run one of its actions by name, or to go to a route. */
export type HostCommand = { readonly run: string } | { readonly go: string };

export interface HostNotice {
  readonly title: string;
  readonly body: string;
  /** Where a click on it leads, such as `/webhooks`. */
  readonly route: string;
}

/** `window.host`, in the desktop window alone. */
export interface Host {
  readonly platform: string;
  showDataFile(): Promise<boolean>;
  notify(notice: HostNotice): Promise<boolean>;
  restartServer(): Promise<string | null>;
  /** @returns what ends the listening */
  onCommand(listener: (command: HostCommand) => void): () => void;
}
