/** What the unit has to say of this installation: read from the settings that are in effect. */
import { basename, dirname, join, resolve } from 'node:path'
import { describe } from '../config/describe.ts'
import type { LoadedConfig } from '../config/load.ts'
import { Failure } from '../kernel/failure.ts'
import type { ServiceFacts } from './unit.ts'

export interface Program {
  readonly node: string
  readonly flags: readonly string[]
  readonly main: string
  readonly directory: string
}

export interface Wanted {
  readonly user: string
  /** The provider's unit. */
  readonly sso_unit: string
}

const DATA_DIR = 'PLUMBLINE_DATA_DIR'

/** Throws `bad_configuration` for a secret that stands in the environment: everybody may read a unit. */
export function serviceFacts(config: LoadedConfig, program: Program, wanted: Wanted): ServiceFacts {
  const { settings, sources, files } = config
  for (const [name, path] of Object.entries(files))
    if (/\p{Cc}/u.test(path))
      throw new Failure(
        'bad_configuration',
        `The path of ${name}_FILE holds a control character, which no unit can name.`,
      )
  const bare = describe(config).filter(({ name, value }) => value === '[hidden]' && files[name] === undefined)
  if (bare.length > 0) throw new Failure('bad_configuration', bare.map(({ name }) => toFile(name)).join('\n'))
  const data_dir = resolve(settings.store.data_dir)
  const own = (path: string) => path === data_dir || path.startsWith(`${data_dir}/`)
  return {
    command: [program.node, ...program.flags, program.main, 'serve'],
    directory: program.directory,
    user: wanted.user,
    data_dir,
    writes_in: [...new Set(foldersOf(config).filter((path) => !own(path)))],
    environment: describe(config).flatMap(({ name, value }) =>
      value === null || value === '[hidden]' || sources[name] !== 'environment' || name === DATA_DIR
        ? []
        : [[name, value] as const],
    ),
    credentials: Object.entries(files).map(([name, path]) => [name, resolve(path)] as const),
    sso_restart: restartOf(config, wanted),
  }
}

const toFile = (name: string): string =>
  `${name} stands in the environment, and a unit may be read by everybody: put it into a file that root alone may read, and set ${name}_FILE to its path.`

/** The folders in which it writes: of the files that others read, and where a routes file that was overwritten is kept. */
function foldersOf({ settings }: LoadedConfig): readonly string[] {
  const routes = dirname(resolve(settings.routes.file))
  const keys = settings.ssh.authorized_keys
  const files = [
    settings.sso.rules_file,
    settings.people.users_file,
    settings.certificates.file,
    keys?.kind === 'file' ? keys.path : null,
  ].flatMap((path) => (path === null ? [] : [dirname(resolve(path))]))
  return [
    routes,
    join(dirname(routes), `.${basename(routes)}.plumbline`),
    resolve(settings.certificates.dir),
    ...files,
  ]
}

function restartOf({ settings }: LoadedConfig, { sso_unit }: Wanted): ServiceFacts['sso_restart'] {
  const { sso, people } = settings
  if (sso.restart.way !== 'watched') return null
  const users = people.reload.kind === 'restart' ? [people.users_file] : []
  const watched = [sso.rules_file, ...users].flatMap((path) => (path === null ? [] : [resolve(path)]))
  return watched.length === 0 ? null : { watched, unit: sso_unit }
}
