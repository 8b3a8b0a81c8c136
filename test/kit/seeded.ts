/** Every property starts from the run's seed, so that a failure can be repeated. Named by `setupFiles` of vitest.config.ts. */
import fc from 'fast-check'
import { SEED } from './tier.ts'

fc.configureGlobal({ seed: SEED })
