/**
 * The environment of a person's shell. It lacks the variables that npm and Vitest set for this test, such as BASE_URL
 * and NODE_ENV, which the programs of a test could read. Its locale is one that each machine has: Perl warns about others.
 */
export function personEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_|^NODE_|^VITEST|^VITE|^TEST$|^BASE_URL$|^SANDPIPER_(?!CHECK_REPLIES$)/i.test(name),
  );
  return { ...Object.fromEntries(kept), LC_ALL: 'C.UTF-8', ...more };
}
