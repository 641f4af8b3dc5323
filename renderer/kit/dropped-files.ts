import { useEventListener } from '@vueuse/core';
import { useToasts } from './toasts.ts';

/** Whether something that is dragged is a file. */
export const carriesFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** The file of a drop or a choice. Several are refused with a sentence: which one was meant is not known. */
export function onlyFile(files: FileList | null | undefined): File | null {
  if ((files?.length ?? 0) <= 1) return files?.[0] ?? null;
  useToasts().refuse(`${files?.length} files were dropped, and none was taken: drop one at a time.`);
  return null;
}

/**
 * Called once, by the frame: a browser leaves the page to open a file that is dropped where nothing takes it. Here it is
 * refused with a sentence.
 */
export function useRefusedDrops(): void {
  const refuse = (event: DragEvent): void => {
    if (event.defaultPrevented || !carriesFile(event)) return;
    event.preventDefault();
    if (event.type === 'drop')
      useToasts().refuse(
        'A file can be dropped in Catalog and on the box in Snapshots. Nothing was done with this one.',
      );
  };
  useEventListener(window, 'dragover', refuse);
  useEventListener(window, 'drop', refuse);
}
