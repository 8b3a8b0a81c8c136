/** The settings as `plumbline doctor` finds them: a finding for each fault and each doubt. */
import type { Finding } from '../cli/verb.ts'
import type { LoadedConfig } from '../config/load.ts'
import { Failure } from '../kernel/failure.ts'
import { bad, good, warning } from './finding.ts'

export interface FoundSettings {
  /** Null where they are wrong: nothing else can be looked at then. */
  readonly config: LoadedConfig | null
  readonly findings: readonly Finding[]
}

/** @param load throws a Failure with a line per fault */
export function readSettings(load: () => LoadedConfig): FoundSettings {
  try {
    const config = load()
    const doubts = config.warnings.map((text) => warning('settings', text, 'Change it when you can.'))
    return { config, findings: [good('settings', 'valid'), ...doubts] }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const faults = error.message.split('\n')
    const remedy = 'Correct the setting and try again.'
    return { config: null, findings: faults.map((line) => bad('settings', line, remedy)) }
  }
}
