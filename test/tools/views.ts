import type { Emulator } from '../../emulator/start-emulator.ts';

/** Every view by name, with its address. If there are records, the address chooses one that shows much. */
export async function viewsOf(emulator: Emulator, refused: string | null): Promise<Readonly<Record<string, string>>> {
  const first = async (kind: string, fits: (record: never) => boolean = () => true): Promise<string> => {
    const answer = await fetch(`${emulator.inspectorUrl}/control/records/${kind}?limit=1000`, {
      headers: { authorization: `Bearer ${emulator.token}` },
    });
    const { records } = (await answer.json()) as { records: readonly { id: string }[] };
    const id = records.find((record) => fits(record as never))?.id ?? records[0]?.id;
    return id === undefined ? '' : `/${encodeURIComponent(id)}`;
  };
  const webhook = await first('webhooks');
  const hasErrors = ({ report }: { report: object | null }): boolean =>
    report !== null && JSON.stringify(report).includes('"errorType"');
  return {
    home: '/',
    requests: `/requests${refused === null ? '' : `/${refused}`}`,
    timeline: '/timeline',
    webhooks: `/webhooks${webhook}`,
    fire: `/webhooks${webhook}?fire=1`,
    subscribers: `/subscribers${await first('users', ({ email }: { email: string }) => email === 'ada@example.com')}`,
    catalog: `/catalog${await first('uploads', hasErrors)}`,
    offers: `/offers${await first('offers', ({ id }: { id: string }) => id === '54100')}`,
    privacy: `/privacy${await first('privacy-requests')}`,
    attributes: `/attributes${await first('attribute-definitions')}`,
    units: `/sign-up-units${await first('sign-up-units')}`,
    apps: `/apps${await first('apps')}`,
    try: '/try',
    graphql: '/try/graphql',
    faults: '/faults',
    snapshots: '/snapshots',
    problems: '/problems',
    reference: `/reference/${encodeURIComponent('operation:POST /subscriptions')}`,
    settings: '/settings',
  };
}

/** The views with the names that a command got, or all of them if it got none. An unknown name ends the command with a message. */
export function chosenViews(
  views: Readonly<Record<string, string>>,
  names: readonly string[],
): readonly (readonly [name: string, path: string])[] {
  const unknown = names.filter((name) => !(name in views));
  if (unknown.length > 0) {
    console.error(`There is no view ${unknown.join(', ')}. Available: ${Object.keys(views).join(', ')}.`);
    process.exit(1);
  }
  return Object.entries(views).filter(([name]) => names.length === 0 || names.includes(name));
}
