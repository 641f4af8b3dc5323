import { Menu, type MenuItemConstructorOptions } from 'electron';
import { sectionList } from '../renderer/section-list.ts';

/** The actions of the menus, in addition to Electron's roles. */
export interface MenuActs {
  /** Runs an action of the page by its name. */
  run(name: string): void;
  showDataFile(): void;
  restartServer(): void;
  openLink(address: string): void;
}

/** The item of the menu “Server” while no server runs. */
export const startAgain = 'Start the Server Again';

/** Settings have their own place in the menus. */
const sections = sectionList.filter(({ name }) => name !== 'settings');
/** How many sections have a number as their key. */
const numbered = 9;

const lengths = [
  ['2 Minutes', '2m'],
  ['1 Hour', '1h'],
  ['12 Hours', '12h'],
  ['1 Day', '1d'],
  ['30 Days', '30d'],
] as const;

/** The menus; items that also have a key in the page show that key. */
export function toMenus(
  acts: MenuActs,
  { platform, devTools, isRunning }: { platform: NodeJS.Platform; devTools: boolean; isRunning: boolean },
): MenuItemConstructorOptions[] {
  const isApple = platform === 'darwin';

  /** The page handles the key itself, as the person set it; the menu only shows it (macOS always handles it). */
  function item(label: string, name: string, key?: string): MenuItemConstructorOptions {
    // On macOS a letter without Cmd could no longer be typed.
    const shown = key !== undefined && !(isApple && !key.startsWith('CmdOrCtrl+'));
    return {
      label,
      click: () => acts.run(name),
      ...(shown ? { accelerator: key, registerAccelerator: false } : {}),
    };
  }
  const line: MenuItemConstructorOptions = { type: 'separator' };
  const settings = item('Settings…', 'go.settings');

  return [
    ...(isApple
      ? [
          {
            label: 'Sandpiper',
            submenu: [
              { role: 'about' },
              line,
              { ...settings, accelerator: 'Cmd+,' },
              line,
              { role: 'services' },
              line,
              { role: 'hide' },
              { role: 'hideOthers' },
              { role: 'unhide' },
              line,
              { role: 'quit' },
            ] satisfies MenuItemConstructorOptions[],
          },
        ]
      : []),
    {
      label: '&File',
      submenu: [
        item('Save a Snapshot', 'snapshot'),
        item('Export and Import…', 'go.snapshots'),
        line,
        { label: 'Show the Data File', click: () => acts.showDataFile() },
        line,
        ...(isApple ? [] : [settings, line]),
        isApple ? { role: 'close' } : { role: 'quit' },
      ],
    },
    {
      label: '&Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        line,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        line,
        item('Undo the Last Change', 'undo'),
        item('Redo the Last Undone Change', 'redo'),
        item('Copy the Base URL', 'copy.url'),
      ],
    },
    {
      label: '&View',
      submenu: [
        item('Search or Run a Command', 'palette', 'CmdOrCtrl+K'),
        line,
        item('Theme: as the System', 'theme.system'),
        item('Theme: Light', 'theme.light'),
        item('Theme: Dark', 'theme.dark'),
        line,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        line,
        { role: 'reload' },
        ...(devTools ? [{ role: 'toggleDevTools' } as const] : []),
      ],
    },
    {
      label: '&Go',
      submenu: [
        ...sections
          .slice(0, numbered)
          .map(({ title, name }, index) => item(toLabel(title), `go.${name}`, `CmdOrCtrl+${index + 1}`)),
        line,
        ...sections.slice(numbered).map(({ title, name }) => item(toLabel(title), `go.${name}`)),
        line,
        item('Next Pane', 'pane.next', 'CmdOrCtrl+]'),
        item('Previous Pane', 'pane.previous', 'CmdOrCtrl+['),
      ],
    },
    {
      label: '&Clock',
      submenu: [
        item('Advance to What Is Due Next', 'clock.next'),
        ...lengths.map(([label, length]) => item(`Advance ${label}`, `clock.${length}`)),
        item('Advance to a Date…', 'clock.to'),
        line,
        item('Freeze or Resume', 'clock.freeze', 'CmdOrCtrl+.'),
        item('Rewind', 'clock.rewind'),
        item('Back to Real Time', 'clock.real'),
      ],
    },
    {
      label: '&Server',
      submenu: [
        item('Fire an Event…', 'fire'),
        item('Override the Next Reply…', 'fault'),
        item('Clear the Recorded Requests', 'clear'),
        item('Reset to the Demo World', 'reset.demo'),
        line,
        { label: isRunning ? 'Restart the Server' : startAgain, click: () => acts.restartServer() },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        item('Keys', 'help', '?'),
        { label: 'How Webhooks Are Signed', click: () => acts.openLink('https://www.standardwebhooks.com/') },
        ...(isApple ? [] : [line, { role: 'about' } as const]),
      ],
    },
  ];
}

export function setMenus(acts: MenuActs, state: Parameters<typeof toMenus>[1]): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(toMenus(acts, state)));
}

/** `Faults and limits` → `Faults and Limits`, as menus are written. */
function toLabel(title: string): string {
  return title.replaceAll(/ (?!and )[a-z]/g, (letter) => letter.toUpperCase());
}
