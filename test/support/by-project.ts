import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects that wait for their own processes are first, so that at the end both cores have work. */
const order = ['process', 'replacing', 'server', 'browser'];

/**
 * Sorts files randomly by the run's seed, but keeps those of one project together: a worker keeps its loaded modules
 * only while the next file is of the same project.
 */
export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const keyOf = ({ moduleId, project }: TestSpecification): string =>
      order.indexOf(project.name) + createHash('md5').update(`${seed} ${moduleId}`).digest('hex');
    return files
      .map((file) => ({ file, key: keyOf(file) }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ file }) => file);
  }
}
