/** What the desktop shell tells the page (electron/preload); nothing in a browser. */
export interface Host {
  readonly platform?: string;
  /** A notification of the system. */
  readonly notify?: (title: string, text: string) => unknown;
}

declare global {
  interface Window {
    readonly host?: Host;
  }
}

/** Where the system draws its window controls over the title bar: at the left, at the right, or nowhere. */
export function windowControls(): 'left' | 'right' | null {
  const platform = window.host?.platform;
  if (platform === undefined) return null;
  return platform === 'darwin' ? 'left' : platform === 'win32' ? 'right' : null;
}
