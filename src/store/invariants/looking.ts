/** What runs in the process of a `SharedLook`: one look, handed back as one message. */
import { copyAndTry } from './copy-and-try.ts'
import { lookInto } from './look.ts'
import type { LookOptions } from './rule.ts'

export interface LookOrder {
  readonly directory: string
  readonly options: LookOptions
  /** The look is at a copy that is made for it, and kept among the newest so many where it is sound. */
  readonly kept?: number
}

const { directory, options, kept } = JSON.parse(process.argv[2]!) as LookOrder
// Whoever asked may be gone by now; then nobody is left to be told.
process.on('error', () => process.exit(1))
const looked = kept === undefined ? lookInto(directory, options) : copyAndTry(directory, { ...options, kept })
process.send?.(looked, () => process.disconnect())
