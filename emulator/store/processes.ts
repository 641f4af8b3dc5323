import { readFileSync, readlinkSync } from 'node:fs';

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
 * The start of a process: the id of the boot, and the clock ticks since then. Null on systems without this information
 * (only Linux has it in files).
 */
export function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const ticks = ticksOf(pid);
    return ticks === null ? null : `${boot}:${ticks}`;
  } catch {
    return null;
  }
}

/**
 * Clock ticks from the boot to the start of a process; null if it is not running, or on systems without this
 * information.
 */
export function ticksOf(pid: number): string | null {
  try {
    // In a namespace of its own, a process may see the files of the processes outside, where another process has its
    // id.
    const own = readlinkSync('/proc/self');
    if (pid !== process.pid && own !== String(process.pid)) return null;
    // The name, in brackets, may contain spaces and brackets; the start is the 20th field after it.
    const stat = readFileSync(`/proc/${pid === process.pid ? own : pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** The namespace of process ids: each container may have its own. Null on systems without this information. */
export function namespaceOfIds(): string | null {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? null;
  } catch {
    return null;
  }
}
