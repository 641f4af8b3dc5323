import type { App, Session } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { denyPermissions, mayOpen, protectPages, type Ours } from '../../electron/protection.ts';
import { xssStrings } from '../support/xss.ts';
import * as standIn from './stand-in.ts';

vi.mock('electron', () => import('./stand-in.ts'));

const ours: Ours = { inspector: () => 'http://127.0.0.1:4748', auth: () => 'http://127.0.0.1:4747' };
const { app, session, BrowserWindow, createEvent } = standIn;
let opened: string[] = [];
beforeEach(() => {
  opened = [];
  app.removeAllListeners();
  protectPages(app as unknown as App, ours, (address) => opened.push(address));
});
const openPage = () => new BrowserWindow({}).webContents;

/** Addresses that may be in a recorded payload, and to which our page never navigates. */
const foreign = [
  'file:///etc/passwd',
  'file://127.0.0.1:4748/x',
  'smb://attacker/share',
  'javascript:alert(1)',
  'ms-msdt:/id PCWDiagnostic',
  'data:text/html,<script>1</script>',
  'https://evil.example/',
  'http://127.0.0.1:4748.evil.example/',
  'http://127.0.0.1:47480/',
  'http://127.0.0.1:4748@evil.example/',
  'http://localhost:4748/',
  'https://127.0.0.1:4748/',
  'blob:https://evil.example/1',
  'about:blank',
  'sandpiper://requests/1',
  '//evil.example/',
  'no address at all',
  '',
];

test.for(foreign)('no page navigates to %j, by itself, in a frame or by a redirect', (url) => {
  const contents = openPage();
  for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
    const event = createEvent({ url });
    contents.emit(name, event);
    expect(event.defaultPrevented, name).toBe(true);
  }
});

test('a page may navigate within its own origin', () => {
  const contents = openPage();
  for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
    const event = createEvent({ url: 'http://127.0.0.1:4748/#/requests/req_1' });
    contents.emit(name, event);
    expect(event.defaultPrevented, name).toBe(false);
  }
});

test('a frame may show content written by the page; the page never navigates to it', () => {
  const contents = openPage();
  for (const isMainFrame of [true, false]) {
    const event = createEvent({ url: 'about:srcdoc', isMainFrame });
    contents.emit('will-frame-navigate', event);
    expect(event.defaultPrevented).toBe(isMainFrame);
  }
});

test('before there is a server, no address is ours', () => {
  app.removeAllListeners();
  protectPages(app as unknown as App, { inspector: () => null, auth: () => null }, () => {});
  const event = createEvent({ url: 'http://127.0.0.1:4748/' });
  openPage().emit('will-navigate', event);
  expect(event.defaultPrevented).toBe(true);
});

test.for([...foreign, ...xssStrings])('a link to %j opens no window and no program', (url) => {
  expect(openPage().windowOpen?.({ url })).toEqual({ action: 'deny' });
  expect(opened).toEqual([]);
});

test('a link of the https list, and the install page of our own server, open in the browser and never in a window', () => {
  const contents = openPage();
  const links = [
    'https://www.standardwebhooks.com/',
    'http://127.0.0.1:4747/integrations/oauth-install?client_id=sandpiper-demo-client',
  ];
  for (const url of links) expect(contents.windowOpen?.({ url })).toEqual({ action: 'deny' });
  expect(opened).toEqual(links);
});

test.for([
  'http://www.standardwebhooks.com/',
  'https://www.standardwebhooks.com:8443/',
  'https://user@www.standardwebhooks.com/',
  'https://www.standardwebhooks.com.evil.example/',
  'https://evil.example/https://www.standardwebhooks.com/',
  'http://127.0.0.1:4747/v1/me',
  'http://127.0.0.1:4748/integrations/oauth-install',
  'http://localhost:4747/integrations/oauth-install',
])('%s is similar to the list but not on it', (address) => {
  expect(mayOpen(address, ours)).toBe(false);
});

test('a webview is never attached', () => {
  const event = createEvent({});
  openPage().emit('will-attach-webview', event, {}, {});
  expect(event.defaultPrevented).toBe(true);
});

test.for(['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'midi', 'hid', 'fullscreen'])(
  'the permission %s is denied, asked or checked, and so is any device',
  (permission) => {
    denyPermissions(session.defaultSession as unknown as Session, ours);
    const answers: boolean[] = [];
    session.defaultSession.permissionRequest?.(openPage(), permission, (yes) => answers.push(yes));
    expect(answers).toEqual([false]);
    expect(session.defaultSession.permissionCheck?.(openPage(), permission)).toBe(false);
    expect(session.defaultSession.devicePermission?.({ deviceType: 'hid' })).toBe(false);
  },
);

test('only files from the inspector are downloaded', () => {
  denyPermissions(session.defaultSession as unknown as Session, ours);
  const held = (url: string): boolean => {
    const event = createEvent({});
    session.defaultSession.emit('will-download', event, { getURL: () => url });
    return event.defaultPrevented;
  };
  expect(held('blob:http://127.0.0.1:4748/0b0c')).toBe(false);
  expect(held('blob:http://127.0.0.1:4747/0b0c')).toBe(true);
  expect(held('https://evil.example/setup.exe')).toBe(true);
});
