import type { App, Session, WebContents } from 'electron';

/** The addresses of the running server, by which pages of Sandpiper are recognised. */
export interface Ours {
  /** The inspector's origin, `http://127.0.0.1:4748`; null before the first start. */
  inspector(): string | null;
  /** The emulated API's origin, whose install page opens in the browser. */
  auth(): string | null;
}

/** The sites that the inspector and the menus link to. */
const linkedHosts: ReadonlySet<string> = new Set(['www.standardwebhooks.com']);

/** Whether an address has this origin; false if it cannot be parsed. */
export function isOf(origin: string | null, address: string): boolean {
  return origin !== null && URL.canParse(address) && new URL(address).origin === origin;
}

/**
 * Whether the system's browser may open an address: https on a listed host, or the install page of this server. Other
 * addresses from recorded payloads (`file:`, `smb:`, `javascript:`, custom schemes) are not opened.
 */
export function mayOpen(address: string, ours: Ours): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.username || url.password) return false;
  if (isOf(ours.auth(), address)) return url.pathname.startsWith('/integrations/');
  return url.protocol === 'https:' && url.port === '' && linkedHosts.has(url.hostname);
}

/** Prevents every page of the app from leaving the inspector's origin (docs/security.md, The desktop window). */
export function protectPages(app: App, ours: Ours, openExternal: (address: string) => void): void {
  app.on('web-contents-created', (_event, contents) => protect(contents, ours, openExternal));
}

function protect(contents: WebContents, ours: Ours, openExternal: (address: string) => void): void {
  const keep = (event: { preventDefault(): void }, address: string): void => {
    if (!isOf(ours.inspector(), address)) event.preventDefault();
  };
  contents.on('will-frame-navigate', (event) => {
    // Content that the page wrote into its own frame: the simulated inbox shows emails like that, without scripts.
    if (event.isMainFrame || event.url !== 'about:srcdoc') keep(event, event.url);
  });
  contents.on('will-navigate', (event) => keep(event, event.url));
  contents.on('will-redirect', (event) => keep(event, event.url));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (mayOpen(url, ours)) openExternal(url);
    return { action: 'deny' };
  });
}

/** No camera, location, clipboard reading or device: denies every permission (docs/security.md, The desktop window). */
export function denyPermissions(session: Session, ours: Ours): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // A file from the inspector; the system asks where to save it.
    if (!isOf(ours.inspector(), item.getURL())) event.preventDefault();
  });
}
