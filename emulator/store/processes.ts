import { readFileSync } from 'node:fs';

/** Whether a process with this id is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is running, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * When a process started, as boot and clock ticks since then; null on systems without this information (only Linux has
 * it in files).
 */
export function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name, in brackets, may contain spaces and brackets; the start is the 20th field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks === undefined ? null : `${boot}:${ticks}`;
  } catch {
    return null;
  }
}
