/** How the SSO provider is restarted: in one way, for its rules and its users alike, whichever setting says so. */
import { Failure, fieldError } from '../../../kernel/failure.ts'
import type { RestartSetting } from '../setting-kinds.ts'
import type { Settings } from '../../../config/sections.ts'

export interface ProviderRestart {
  readonly restart: RestartSetting
  /** Whether its users take a restart, too; false: it watches their file, or somebody else sees to it. */
  readonly for_users: boolean
}

/** How the provider reads its users file again: by a restart where there is a way to restart it, which alone proves it. */
const usersReload = ({
  sso: { restart },
  people: { reload },
}: Pick<Settings, 'sso' | 'people'>): NonNullable<typeof reload> =>
  reload ?? { kind: restart.way === 'none' ? 'watch' : 'restart' }

/**
 * A command in `PLUMBLINE_SSO_USERS_RELOAD` is the older spelling, and means both where `PLUMBLINE_SSO_RESTART` says nothing.
 * Throws `bad_configuration` where the two contradict each other.
 */
export function providerRestart(settings: Pick<Settings, 'sso' | 'people'>): ProviderRestart {
  const { restart } = settings.sso
  const reload = usersReload(settings)
  if (settings.people.users_file === null || reload.kind === 'watch' || reload.kind === 'none')
    return { restart, for_users: false }
  if (reload.kind === 'restart') {
    if (restart.way !== 'none') return { restart, for_users: true }
    throw wrong('is restart, and PLUMBLINE_SSO_RESTART does not say how: set it, such as docker:authelia')
  }
  if (restart.way === 'none') return { restart: { way: 'command', command: reload.words }, for_users: true }
  if (restart.way === 'command' && restart.command.join('\0') === reload.words.join('\0'))
    return { restart, for_users: true }
  throw wrong(
    'has a command of its own beside PLUMBLINE_SSO_RESTART: the provider is restarted in one way, for its users and its rules alike. Set PLUMBLINE_SSO_RESTART to it, and this one to restart',
  )
}

function wrong(msg: string): Failure {
  const name = 'PLUMBLINE_SSO_USERS_RELOAD'
  return new Failure('bad_configuration', `${name} ${msg}.`, { errors: [fieldError([name], msg, 'config')] })
}
