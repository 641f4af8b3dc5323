import { connect, print, type ConnectOptions } from './connect.ts';

/** `sandpiper records KIND [ID]`: the records of a kind, one a line as JSON; with an id, that one with its open moves. */
export async function showRecords(kind: string, id: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  if (id === undefined) {
    const { records } = await client.call('GET /control/records/{kind}', { params: { kind }, query: { limit: 1_000 } });
    const lines = records.map((record: object) => JSON.stringify(record));
    return print(options, records, lines.join('\n') || `There are no ${kind}.`);
  }
  const view = await client.call('GET /control/records/{kind}/{id}', { params: { kind, id } });
  print(options, view, JSON.stringify(view, null, 2));
}

/** `sandpiper fire KIND ID EVENT`: moves a record by hand. */
export async function fire(kind: string, id: string, event: string, options: ConnectOptions): Promise<void> {
  const params = { kind, id };
  const view = await connect(options).call('POST /control/records/{kind}/{id}/moves', { params, body: { event } });
  print(options, view, `${kind} ${id} is ${view.state}.`);
}
