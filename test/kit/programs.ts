/**
 * Programs that a test starts in a process of their own, each in a few files instead of some two thousand: a process is up in less
 * than half the processor time. The gate and the deep tier build them once, before all tests, from the sources as they stand; every
 * other run starts the sources themselves. The command as a user starts it is never one of these (test/flows/launcher.test.ts).
 */
import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const IN_ROOT = [
  'src/main.ts',
  'test/faults/child.ts',
  'test/flows/certificates-child.ts',
  'test/flows/children/*.ts',
]
export const PROGRAMS: readonly string[] = globSync(IN_ROOT, { cwd: ROOT })

/** What to start for a program of which `PROGRAMS` has the source. */
export function programOf(source: URL): string {
  const path = fileURLToPath(source)
  const folder = process.env['PLUMBLINE_PROGRAMS']
  const name = relative(ROOT, path)
  if (!PROGRAMS.includes(name)) throw new Error(`${name} is none of the programs in test/kit/programs.ts`)
  return folder === undefined ? path : join(folder, name.replace(/\.ts$/, '.mjs'))
}
