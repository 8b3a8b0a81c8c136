/** Compares the open database's files with what stands at their paths, whether anybody writes or not. */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import type { OpenFiles } from '../../../ports/storage-check.ts'

const EVERY_MS: Milliseconds = 3000

export const filesWatch = (
  files: OpenFiles,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Loop =>
  new Loop({
    clock,
    round: () => {
      files.hindrance()
      return EVERY_MS
    },
    failed: (error) => {
      log.error('database files not looked at', { error })
      return EVERY_MS
    },
  })
