/** What runs in the process of `../invariants.ts`: one look, handed back as one message. */
import { lookInto } from './look.ts'
import type { LookOptions } from './rule.ts'

export interface LookOrder {
  readonly directory: string
  readonly options: LookOptions
}

const { directory, options } = JSON.parse(process.argv[2]!) as LookOrder
// Whoever asked may be gone by now; then nobody is left to be told.
process.on('error', () => process.exit(1))
process.send?.(lookInto(directory, options), () => process.disconnect())
