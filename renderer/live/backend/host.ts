import type { Host } from '../../../electron/host-channels.ts';

declare global {
  interface Window {
    /** The interface of the desktop shell (electron/preload.ts); undefined in a browser. */
    readonly host?: Host;
  }
}

/** Whether the system draws its window controls over the left end of the title bar: macOS does. */
export function hasControlsOverTitleBar(): boolean {
  return window.host?.platform === 'darwin';
}
