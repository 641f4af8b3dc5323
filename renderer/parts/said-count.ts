import { counted, toCount } from '../format.ts';

/** What a list holds, `3 offers`; of more than it can hold, `the newest 1,000 of 2,001 offers`. */
export function sayListed(listed: number, total: number, noun: string): string {
  return listed < total ? `the newest ${toCount(listed)} of ${counted(total, noun)}` : counted(listed, noun);
}
