import type { SettingName } from './sources.ts';

/** Settings as the palette finds them, each with its name at the command line where it has one. */
export const settingNames: readonly SettingName[] = [
  { title: 'Port of the API', flag: '--port' },
  { title: 'Port of the inspector', flag: '--inspector-port' },
  { title: 'Host on which the servers listen', flag: '--host', words: 'loopback lan docker' },
  { title: 'Data folder', flag: '--data-dir', words: 'memory save' },
  { title: 'Pace', flag: '--pace', words: 'instant realistic manual' },
  { title: 'Rate limits', flag: '--rate-limits', words: '429' },
  { title: 'Theme', flag: 'this window', words: 'dark light contrast' },
  { title: 'Times in UTC or local', flag: 'this window', words: 'zone' },
  { title: 'Row height', flag: 'this window', words: 'dense roomy density' },
  { title: 'Keys', flag: 'this window', words: 'shortcuts bind rebind' },
];
