import type { Upload } from '../../records.ts';

/** Section 8 says "every few hours". */
const fewHoursMs = 3 * 3_600_000;

/**
 * A warning if this upload and one shortly before it both were whole catalogs (section 8: these are sent no more often
 * than every few hours); null if not. A whole catalog has at least half as many products as are saved.
 */
export function earlierFull(upload: Upload, all: readonly Upload[], savedCount: number): string | null {
  const isFull = ({ report, validateOnly }: Upload): boolean =>
    !validateOnly && report !== null && report.goodLines > 0 && report.goodLines * 2 >= savedCount;
  if (!isFull(upload)) return null;
  const at = Date.parse(upload.createdAt);
  const agos = all
    .filter((one) => one.id !== upload.id && one.companyId === upload.companyId && isFull(one))
    .map((one) => at - Date.parse(one.createdAt))
    .filter((ago) => ago >= 0 && ago < fewHoursMs);
  if (agos.length === 0) return null;
  const minutes = Math.round(Math.min(...agos) / 60_000);
  return `A whole catalog was sent ${minutes === 0 ? 'less than a minute' : `${minutes} minute${minutes === 1 ? '' : 's'}`} before. Send the whole catalog every few hours at most, and between them only the products that changed.`;
}
