import { counted, toCount } from '../format.ts';

/** The size of a list: `3 offers`, or `the newest 1,000 of 2,001 offers` if it cannot hold all. */
export function sayListed(listed: number, total: number, noun: string): string {
  return listed < total ? `the newest ${toCount(listed)} of ${counted(total, noun)}` : counted(listed, noun);
}
