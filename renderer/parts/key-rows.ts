import { useRouter } from 'vue-router';
import type { KeyRow } from '../commands/keys.ts';

/** What a row of the table of keys does, in words; `section.3` is called by the title of the third section. */
export function useKeyWords(): (row: Pick<KeyRow, 'name' | 'does'>) => string {
  const { routes } = useRouter().options;
  return ({ name, does }) => {
    const [, number] = /^section\.(\d)$/.exec(name) ?? [];
    const title = routes[Number(number) - 1]?.meta?.['title'];
    return typeof title === 'string' ? title : does;
  };
}
