import { readdirSync, readFileSync, type Dirent } from 'node:fs';
import { extname, join } from 'node:path';
import type { Middleware } from 'koa';

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/**
 * No inline script, no eval, nothing from elsewhere (docs/security.md, The desktop window). The page calls only its
 * own origin.
 */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves the built inspector. The files are listed once, here, so no path in a request ever reaches the disk.
 * @param uiDir the folder of the build; null, or a folder without index.html, serves nothing
 * @returns null if there is no build
 */
export function serveUi(uiDir: string | null): Middleware | null {
  const files = uiDir === null ? new Map<string, string>() : listFiles(uiDir);
  const index = files.get('/index.html');
  if (index === undefined) return null;
  files.set('/', index);
  const read = new Map<string, Buffer>();

  return (ctx, next) => {
    const file = ctx.method === 'GET' || ctx.method === 'HEAD' ? files.get(ctx.path) : undefined;
    if (file === undefined) return next();
    const bytes = read.get(file) ?? readFileSync(file);
    read.set(file, bytes);
    ctx.set('content-security-policy', contentSecurityPolicy);
    // The build puts a hash of the content into the names below assets/.
    if (ctx.path.startsWith('/assets/')) ctx.set('cache-control', 'public, max-age=31536000, immutable');
    ctx.type = types[extname(file)] ?? 'application/octet-stream';
    ctx.body = bytes;
  };
}

/**
 * Maps URL paths to files, for every file of a known type. Folder by folder, because an asar archive allows only that.
 */
function listFiles(folder: string, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of entriesOf(folder)) {
    const file = join(folder, entry.name);
    const url = `${path}/${entry.name}`;
    if (entry.isDirectory()) for (const [below, of] of listFiles(file, url)) found.set(below, of);
    else if (entry.isFile() && types[extname(entry.name)] !== undefined) found.set(url, file);
  }
  return found;
}

/** The entries of a folder; none if the folder does not exist. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}
