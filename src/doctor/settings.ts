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
    const warned = config.warnings.map((text) => warning('settings', text, 'Change it when you can.'))
    return { config, findings: [good('settings', 'valid'), ...warned, ...openSecrets(config)] }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const faults = error.message.split('\n')
    const remedy = 'Correct the setting and try again.'
    return { config: null, findings: faults.map((line) => bad('settings', line, remedy)) }
  }
}

/** What a process was started with can be read in `/proc` for as long as it runs, whatever it forgets itself. */
function openSecrets({ declared, sources }: LoadedConfig): readonly Finding[] {
  const names = declared.flatMap(({ setting: { name, secret } }) =>
    secret && sources[name] === 'environment' ? [name] : [],
  )
  const [first] = names
  if (first === undefined) return []
  const text = `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} given by the environment, which stays in /proc/PID/environ`
  return [
    warning(
      'secrets',
      text,
      `Give files instead: ${first}_FILE=PATH (chmod 600), or LoadCredential=${first}:PATH of systemd.`,
    ),
  ]
}
