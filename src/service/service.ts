/** The units of this installation: made from its settings, checked, and written where that is wanted. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { InstalledUnits, UnitOptions } from '../cli/verb.ts'
import { describe } from '../config/describe.ts'
import type { LoadedConfig } from '../config/load.ts'
import { sha256 } from '../kernel/digest.ts'
import { Failure, systemErrorCode } from '../kernel/failure.ts'
import { SERVICE, type ServiceFacts, type UnitFile, unitFiles } from './unit.ts'

const DIRECTORY = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

export const PROGRAM: Program = {
  node: process.execPath,
  // As in `npm start`.
  flags: ['--disable-sigusr1', '--max-semi-space-size=8'],
  main: `${DIRECTORY}/src/main.ts`,
  directory: DIRECTORY,
}

/** Throws `bad_configuration` where systemd does not take what was made, or a secret would stand in it. */
export async function installUnits(
  config: LoadedConfig,
  options: UnitOptions & Wanted,
): Promise<InstalledUnits> {
  const { user, folder } = options
  refuseOddUser('user', user)
  refuseOddUser('sso-unit', options.sso_unit)
  const facts = serviceFacts(config, PROGRAM, options)
  const units = unitFiles(facts)
  const verdict = await checkUnits(units)
  if (verdict !== null && verdict.complaints.length > 0)
    throw new Failure('bad_configuration', `systemd does not take this:\n${verdict.complaints.join('\n')}`)
  const written = folder === null ? null : install(units, folder)
  return { units, verdict, written, user, data_dir: facts.data_dir }
}

/** Throws `bad_configuration` for what is no name of a user or a unit. */
export function refuseOddUser(option: string, name: string): void {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.@:-]{0,254}$/.test(name))
    throw new Failure(
      'bad_configuration',
      `--${option} must be a name of letters, digits or any of _ . @ : -`,
    )
}

// Puts the units where systemd reads them. What somebody else wrote there, or changed by hand, is never written over.

const MARK = /^# Written by "plumbline install-unit" \(sha256 ([0-9a-f]{64})\)\.[^\n]*\n/

/** The text with the line by which we know it again. */
export const signed = (text: string): string =>
  `# Written by "plumbline install-unit" (sha256 ${sha256([text])}). Yours: "systemctl edit", in a file beside it.\n${text}`

/** The names of what was written; nothing where all stood there already. Throws `conflict` or `storage_unwritable`. */
export function install(units: readonly UnitFile[], folder: string): readonly string[] {
  const wanted = units.map(({ name, text }) => ({ name, path: join(folder, name), text: signed(text) }))
  const foreign = wanted.flatMap(({ path }) => (isOurs(path) ? [] : [path]))
  if (foreign.length > 0)
    throw new Failure(
      'conflict',
      `${foreign.join(', ')} was not written by this command, or was changed by hand. Move it away first, and keep changes ` +
        'of yours in a drop-in ("systemctl edit").',
    )
  const changed = wanted.filter(({ path, text }) => read(path) !== text)
  for (const { path, text } of changed) write(path, text)
  return changed.map(({ name }) => name)
}

function isOurs(path: string): boolean {
  const text = read(path)
  if (text === null) return true
  const [line, digest] = MARK.exec(text) ?? []
  return line !== undefined && sha256([text.slice(line.length)]) === digest
}

const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null)

function write(path: string, text: string): void {
  try {
    const partial = `${path}.partial`
    // A link that somebody put there is not written through.
    rmSync(partial, { force: true })
    writeFileSync(partial, text, { mode: 0o644, flag: 'wx' })
    renameSync(partial, path)
  } catch (cause) {
    throw new Failure(
      'storage_unwritable',
      `${path} cannot be written (${systemErrorCode(cause) ?? (cause as Error).message}). Run this as root, or write to ` +
        'another folder with --dir.',
      { cause },
    )
  }
}

// What systemd itself says of units (systemd-analyze(1)), before they are put where it reads them.

interface Verdict {
  /** What `systemd-analyze verify` complained of, as it says it; nothing where it is content. */
  readonly complaints: readonly string[]
  /** How much of the system a taken-over daemon could reach, from 0 (nothing) to 10; null where it does not say. */
  readonly exposure: number | null
}

const MAX_MS = 30_000

/** Null where there is no systemd-analyze to ask. */
export async function checkUnits(units: readonly UnitFile[], service = SERVICE): Promise<Verdict | null> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-unit-'))
  try {
    const paths = units.map(({ name }) => join(folder, name))
    for (const [i, path] of paths.entries()) writeFileSync(path, units[i]!.text)
    const verified = await analyze(['verify', '--man=no', ...paths])
    const weighed = await analyze(['security', '--offline=true', '--no-pager', join(folder, service)])
    if (verified === null || weighed === null) return null
    const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(weighed)?.[1]
    return {
      complaints: complaintsIn(verified, folder),
      exposure: exposure === undefined ? null : Number(exposure),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const complaintsIn = (verified: string, folder: string): readonly string[] =>
  verified
    .split('\n')
    .map((line) => line.replaceAll(`${folder}/`, '').trim())
    .filter((line) => line !== '')

const run = promisify(execFile)

/** All that it says, whatever its exit code. */
async function analyze(words: readonly string[]): Promise<string | null> {
  const env = { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C', NO_COLOR: '1' }
  try {
    const { stdout, stderr } = await run('systemd-analyze', words, { env, timeout: MAX_MS })
    return stdout + stderr
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return stdout + stderr || String(error)
  }
}

// What the unit has to say of this installation: read from the settings that are in effect.

interface Program {
  readonly node: string
  readonly flags: readonly string[]
  readonly main: string
  readonly directory: string
}

interface Wanted {
  readonly user: string
  /** The provider's unit. */
  readonly sso_unit: string
  /** Every folder in which it writes. */
  readonly writes_in: readonly string[]
}

const DATA_DIR = 'PLUMBLINE_DATA_DIR'

/** Throws `bad_configuration` for a secret that stands in the environment: everybody may read a unit. */
export function serviceFacts(config: LoadedConfig, program: Program, wanted: Wanted): ServiceFacts {
  const { settings, files } = config
  secretsInTheOpen(config, describe(config))
  const data_dir = resolve(settings.store.data_dir)
  const own = (path: string) => path === data_dir || path.startsWith(`${data_dir}/`)
  return {
    command: [program.node, ...program.flags, program.main, 'serve'],
    directory: program.directory,
    user: wanted.user,
    data_dir,
    writes_in: [...new Set(wanted.writes_in.filter((path) => !own(path)))],
    environment: environmentOf(config),
    credentials: Object.entries(files).map(([name, path]) => [name, resolve(path)] as const),
    sso_restart: restartOf(config, wanted),
  }
}

const environmentOf = (config: LoadedConfig): ServiceFacts['environment'] =>
  describe(config).flatMap(({ name, value }) =>
    value === null || value === '[hidden]' || config.sources[name] !== 'environment' || name === DATA_DIR
      ? []
      : [[name, value] as const],
  )

/** Throws `bad_configuration` for secrets that stand in the environment: everybody may read a unit. */
export function secretsInTheOpen({ files }: LoadedConfig, lines: ReturnType<typeof describe>): void {
  for (const [name, path] of Object.entries(files))
    if (/\p{Cc}/u.test(path))
      throw new Failure(
        'bad_configuration',
        `The path of ${name}_FILE holds a control character, which no unit can name.`,
      )
  const bare = lines.filter(({ name, value }) => value === '[hidden]' && files[name] === undefined)
  if (bare.length > 0) throw new Failure('bad_configuration', bare.map(({ name }) => toFile(name)).join('\n'))
}

const toFile = (name: string): string =>
  `${name} stands in the environment, and a unit may be read by everybody: put it into a file that root alone may read, and set ${name}_FILE to its path.`

function restartOf({ settings }: LoadedConfig, { sso_unit }: Wanted): ServiceFacts['sso_restart'] {
  const { sso, people } = settings
  if (sso.restart.way !== 'watched') return null
  const users = (people.reload?.kind ?? 'restart') === 'restart' ? [people.users_file] : []
  const watched = [sso.rules_file, ...users].flatMap((path) => (path === null ? [] : [resolve(path)]))
  return watched.length === 0 ? null : { watched, unit: sso_unit }
}
