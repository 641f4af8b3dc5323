/** The functions of the shell that the page may call, by channel. Types only; host-handlers.ts implements them. */
export interface HostCalls {
  /** Shows the data file in its folder. @returns false if everything is in memory */
  'host:show-data-file': () => boolean;
  /** Shows a system notification, throttled. @returns false while the person looks at the window */
  'host:notify': (notice: HostNotice) => boolean;
  /**
   * Starts the server again, on the same ports and with the same token.
   * @returns why it did not start; null if it did
   */
  'host:restart-server': () => Promise<string | null>;
}

/** The one channel in the other direction. */
export interface HostEvents {
  'host:command': (command: HostCommand) => void;
}

/** A request of the shell to the page: run one of its actions by name, or go to a route. */
export type HostCommand = { readonly run: string } | { readonly go: string };

export interface HostNotice {
  readonly title: string;
  readonly body: string;
  /** The route that a click opens, such as `/webhooks`. */
  readonly route: string;
}

/** `window.host`, only in the desktop window. */
export interface Host {
  readonly platform: string;
  showDataFile(): Promise<boolean>;
  notify(notice: HostNotice): Promise<boolean>;
  restartServer(): Promise<string | null>;
  /** @returns the function that removes the listener */
  onCommand(listener: (command: HostCommand) => void): () => void;
}
