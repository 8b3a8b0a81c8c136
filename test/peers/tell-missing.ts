/** Says at the end of a run which real servers were not there to be tested with. Named by `globalSetup` of vitest.config.ts. */
import { isRequired, missingOf, PACKAGES, type Program, remedyFor } from './programs.ts'

export function teardown(): void {
  const missing = missingOf(Object.keys(PACKAGES) as Program[])
  if (missing.length === 0 || isRequired()) return
  process.stderr.write(`\nSuites that need ${missing.join(', ')} were skipped: ${remedyFor(missing)}\n`)
}
