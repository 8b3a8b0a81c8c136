/**
 * Before and after every file of tests: each property starts from the run's seed, so that a failure can be repeated, and
 * temporary folders go. Named by `setupFiles` of vitest.config.ts.
 */
import fc from 'fast-check'
import { afterAll } from 'vitest'
import { removeFolders } from './new-folder.ts'
import { SEED } from './tier.ts'

fc.configureGlobal({ seed: SEED })
// Hooks end in the reverse of their order: this one after all of the file itself.
afterAll(removeFolders)
