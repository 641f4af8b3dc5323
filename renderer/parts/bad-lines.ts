import type { UploadRecord } from '../../emulator/control/calls.ts';

/** The number of lines with an issue; a line may have several. */
export const badLines = ({ report }: UploadRecord): number => (report ? report.lines - report.goodLines : 0);
