/** Finds the test that a program is in. Part of the preload: it imports nothing but Node. */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import vm from 'node:vm';

/** @returns the full name of the test that runs, as vitest, node:test or jest knows it; null outside of one */
export type CurrentTest = () => string | null;

/** Watches the test runners that do not tell by themselves which test a program is in. */
export function watchTests(): CurrentTest {
  const ofNode = watchNodeTest();
  const ofJest = watchJest();
  return () => ofVitest() ?? ofNode() ?? ofJest();
}

interface Task {
  readonly type?: string;
  readonly name?: string;
  readonly suite?: Task;
}

function ofVitest(): string | null {
  const worker = (globalThis as { readonly __vitest_worker__?: { readonly current?: Task } }).__vitest_worker__;
  const names: string[] = [];
  for (let task = worker?.current; task?.type; task = task.suite) if (task.name) names.unshift(task.name);
  return toFullName(names);
}

/** A test of node:test is an AsyncResource, and its function runs in the scope of that resource. */
interface NodeTest {
  readonly name?: unknown;
  readonly parent?: NodeTest | null;
}

function watchNodeTest(): CurrentTest {
  const names = new AsyncLocalStorage<string | null>();
  const original = AsyncResource.prototype.runInAsyncScope as (...args: unknown[]) => unknown;
  AsyncResource.prototype.runInAsyncScope = function (this: AsyncResource & NodeTest, fn, thisArg, ...args) {
    if (this.constructor.name !== 'Test' || typeof this.name !== 'string')
      return original.call(this, fn, thisArg, ...args);
    const name = toFullName(pathOf(this));
    const inTest = (...given: unknown[]): unknown => names.run(name, () => Reflect.apply(fn, thisArg, given));
    return original.call(this, inTest, thisArg, ...args);
  } as typeof AsyncResource.prototype.runInAsyncScope;
  return () => names.getStore() ?? null;
}

/** The names of the groups from the outermost one on, then of the test; the level above them is the file. */
function pathOf(test: NodeTest): readonly string[] {
  return test.parent ? [...pathOf(test.parent), String(test.name)] : [];
}

/** Where jest's `expect` keeps its state, in the global object of a test file. */
const jestMatchers = Symbol.for('$$jest-matchers-object');

interface JestGlobal {
  readonly [jestMatchers]?: { readonly state?: { readonly currentTestName?: string } };
}

/** Watches jest, which runs each test file in its own context, one at a time in a process. */
function watchJest(): CurrentTest {
  let newest: JestGlobal | null = null;
  const original = vm.createContext;
  vm.createContext = (...args) => {
    const context = original(...args);
    newest = context as JestGlobal;
    return context;
  };
  return () => newest?.[jestMatchers]?.state?.currentTestName ?? null;
}

function toFullName(names: readonly string[]): string | null {
  return names.length === 0 ? null : names.join(' > ');
}
