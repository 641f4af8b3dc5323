import type { RecordView } from '../control/protocol.ts';
import { connect, print, type ConnectOptions } from './connect.ts';

/** `sandpiper records KIND [ID]`: the records of a kind, one a line as JSON; with an id, that one with its open moves. */
export async function showRecords(kind: string, id: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const path = `/control/records/${encodeURIComponent(kind)}`;
  if (id === undefined) {
    const { records } = await client.get<{ readonly records: readonly object[] }>(`${path}?limit=1000`);
    const lines = records.map((record) => JSON.stringify(record));
    return print(options, records, lines.join('\n') || `There are no ${kind}.`);
  }
  const view = await client.get<RecordView>(`${path}/${encodeURIComponent(id)}`);
  print(options, view, JSON.stringify(view, null, 2));
}

/** `sandpiper fire KIND ID EVENT`: moves a record by hand. */
export async function fire(kind: string, id: string, event: string, options: ConnectOptions): Promise<void> {
  const path = `/control/records/${encodeURIComponent(kind)}/${encodeURIComponent(id)}/moves`;
  const view = await connect(options).post<RecordView>(path, { event });
  print(options, view, `${kind} ${id} is ${view.state}.`);
}
