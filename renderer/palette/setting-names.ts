import type { SettingName } from './sources.ts';

/** Settings as the palette finds them, each with its name at the command line where it has one. */
export const settingNames: readonly SettingName[] = [
  { title: 'Port of the API', flag: '--port', words: 'base url' },
  { title: 'Port of the inspector', flag: '--inspector-port' },
  { title: 'Host on which the servers listen', flag: '--host', words: 'loopback lan docker network' },
  { title: 'Further host names', flag: '--allow-host', words: 'dns' },
  { title: 'Hosts allowed while it runs', flag: '', words: 'dns remove' },
  { title: 'Public address of the API', flag: '--public-url', words: 'docker proxy mapped port' },
  { title: 'Public address of the inspector', flag: '--public-inspector-url', words: 'docker proxy mapped port' },
  { title: 'Data folder', flag: '--data', words: 'memory save store' },
  { title: 'Seed of an empty store', flag: '--seed', words: 'snapshot demo' },
  { title: 'World file', flag: '--world', words: 'reset declared' },
  { title: 'Pace', flag: '--pace', words: 'instant realistic manual' },
  { title: 'Rate limits', flag: '--rate-limits', words: '429' },
  { title: 'Unknown fields', flag: '--unknown-fields', words: 'misspelt strict' },
  { title: 'Unsubscribing an unknown person', flag: '--unknown-unsubscribe', words: '404' },
  { title: 'How errors are answered', flag: '--answers', words: 'helpful exact' },
  { title: 'How many requests are recorded', flag: '--record-requests', words: 'ring memory' },
  { title: 'Memory for recorded requests', flag: '--record-megabytes', words: 'ring memory' },
  { title: 'How long requests are recorded', flag: '--record-days', words: 'history age restart' },
  { title: 'Key overlap when a webhook key is rotated', flag: '', words: 'signing' },
  { title: 'Theme', flag: 'this window', words: 'dark light contrast' },
  { title: 'Times in UTC or local', flag: 'this window', words: 'zone' },
  { title: 'Row height', flag: 'this window', words: 'dense roomy density' },
  { title: 'Keys', flag: 'this window', words: 'shortcuts bind rebind' },
];
