/** A setting as the settings page lists it, and the palette finds it. */
export interface SettingName {
  readonly title: string;
  /** The palette's hint where it is set: `this window`, or an option of the command line; '' for neither. */
  readonly flag: string;
  /** Further words for the search. */
  readonly words: string;
}

/** All settings; the page has no others. */
export const settingNames = [
  { title: 'Theme', flag: 'this window', words: 'dark light contrast colour appearance' },
  { title: 'More contrast', flag: 'this window', words: 'accessibility' },
  { title: 'Row height', flag: 'this window', words: 'dense roomy density compact' },
  { title: 'Times in UTC or local', flag: 'this window', words: 'zone local utc' },
  { title: 'Notifications', flag: 'this window', words: 'system' },
  { title: 'Pace', flag: '--pace', words: 'instant realistic manual speed' },
  { title: 'Delays', flag: '', words: 'upload offer privacy' },
  { title: 'Webhook clock', flag: '', words: 'webhook time timestamp signature' },
  {
    title: 'How long things last',
    flag: '',
    words: 'expiry lifetime code link retries timeout signing key overlap when a webhook key is rotated',
  },
  { title: 'Rate limits', flag: '--rate-limits', words: '429 retry-after' },
  { title: 'Hosts allowed while it runs', flag: '', words: 'host names dns rebinding allow remove' },
  { title: 'Port of the API', flag: '--port', words: 'base url 4747' },
  { title: 'Port of the inspector', flag: '--inspector-port', words: '4748' },
  { title: 'Host on which the servers listen', flag: '--host', words: 'loopback lan docker network' },
  { title: 'Further host names', flag: '--allow-host', words: 'dns rebinding' },
  { title: 'Public address of the API', flag: '--public-url', words: 'docker container proxy mapped port' },
  {
    title: 'Public address of the inspector',
    flag: '--public-inspector-url',
    words: 'docker container proxy mapped port',
  },
  { title: 'Data folder', flag: '--data', words: 'disk file memory save store --data --memory' },
  { title: 'Seed of an empty store', flag: '--seed', words: 'snapshot import demo' },
  { title: 'World file', flag: '--world', words: 'reset declared yaml typescript' },
  { title: 'Unknown fields', flag: '--unknown-fields', words: 'misspelt strict note refuse' },
  { title: 'Unsubscribing an unknown person', flag: '--unknown-unsubscribe', words: 'refuse accept 404 202' },
  { title: 'How errors are answered', flag: '--answers', words: 'helpful exact explanation' },
  { title: 'How many requests are recorded', flag: '--record-requests', words: 'record size history ring memory' },
  { title: 'Memory for recorded requests', flag: '--record-megabytes', words: 'record size memory ring' },
  { title: 'How long requests are recorded', flag: '--record-days', words: 'record history age days restart' },
  { title: 'Control token', flag: '--token', words: 'secret env' },
  { title: 'Keys', flag: 'this window', words: 'shortcuts bind rebind' },
] as const satisfies readonly SettingName[];

export type SettingTitle = (typeof settingNames)[number]['title'];
