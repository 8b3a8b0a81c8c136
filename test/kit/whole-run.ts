/** Before and after all tests: their temporary folders, and what a reader of the log must know. Named by `globalSetup`. */
import { mkdirSync, rmSync } from 'node:fs'
import { isRequired, missingOf, PACKAGES, type Program, remedyFor } from '../peers/programs.ts'
import { BUILT_PROGRAMS, SCRATCH } from './scratch.ts'
import { SEED, TIER } from './tier.ts'

export async function setup(): Promise<void> {
  // Others may pass: some tests become another user, who works below.
  mkdirSync(SCRATCH, { recursive: true, mode: 0o711 })
  if (BUILT_PROGRAMS === undefined) return
  const { buildPrograms } = await import('./build-programs.ts')
  await buildPrograms(BUILT_PROGRAMS)
}

/** A program that a test ended may still write while it goes. */
const AGAIN = { maxRetries: 20, retryDelay: 100 }

export function teardown(): void {
  rmSync(SCRATCH, { recursive: true, force: true, ...AGAIN })
  const built = BUILT_PROGRAMS === undefined ? '' : ' PROGRAMS=built'
  process.stdout.write(`\ntier ${TIER}, seed ${SEED}: repeat with RUNS=${TIER} SEED=${SEED}${built}\n`)
  const missing = missingOf(Object.keys(PACKAGES) as Program[])
  if (missing.length === 0 || isRequired()) return
  process.stderr.write(`\nSuites that need ${missing.join(', ')} were skipped: ${remedyFor(missing)}\n`)
}
