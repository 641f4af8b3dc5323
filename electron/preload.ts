import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { Host, HostCalls, HostCommand, HostEvents } from './host-channels.ts';

const commands: keyof HostEvents = 'host:command';

/** Named functions only: the page cannot reach any other channel, or `ipcRenderer` itself. */
const host: Host = {
  platform: process.platform,
  showDataFile: () => call('host:show-data-file'),
  notify: (notice) => call('host:notify', notice),
  restartServer: () => call('host:restart-server'),
  onCommand(listener) {
    const hear = (_event: IpcRendererEvent, command: HostCommand): void => listener(command);
    ipcRenderer.on(commands, hear);
    return () => void ipcRenderer.off(commands, hear);
  },
};

contextBridge.exposeInMainWorld('host', host);

function call<Name extends keyof HostCalls>(
  name: Name,
  ...input: Parameters<HostCalls[Name]>
): Promise<Awaited<ReturnType<HostCalls[Name]>>> {
  return ipcRenderer.invoke(name, ...input) as Promise<Awaited<ReturnType<HostCalls[Name]>>>;
}
