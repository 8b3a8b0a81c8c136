/** The units of this installation: made from its settings, checked, and written where that is wanted. */
import { fileURLToPath } from 'node:url'
import type { InstalledUnits, UnitOptions } from '../cli/verb.ts'
import type { LoadedConfig } from '../config/load.ts'
import { Failure } from '../kernel/failure.ts'
import { checkUnits } from './checked.ts'
import { type Program, serviceFacts } from './facts.ts'
import { install } from './install.ts'
import { unitFiles } from './unit.ts'

const DIRECTORY = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

const PROGRAM: Program = {
  node: process.execPath,
  // As in `npm start`.
  flags: ['--disable-sigusr1', '--max-semi-space-size=8'],
  main: `${DIRECTORY}/src/main.ts`,
  directory: DIRECTORY,
}

/** Throws `bad_configuration` where systemd does not take what was made, or a secret would stand in it. */
export async function installUnits(config: LoadedConfig, options: UnitOptions): Promise<InstalledUnits> {
  const { user, folder } = options
  for (const [option, name] of [
    ['user', user],
    ['sso-unit', options.sso_unit],
  ] as const)
    if (!/^[A-Za-z0-9_][A-Za-z0-9_.@:-]{0,254}$/.test(name))
      throw new Failure(
        'bad_configuration',
        `--${option} must be a name of letters, digits or any of _ . @ : -`,
      )
  const facts = serviceFacts(config, PROGRAM, options)
  const units = unitFiles(facts)
  const verdict = await checkUnits(units)
  if (verdict !== null && verdict.complaints.length > 0)
    throw new Failure('bad_configuration', `systemd does not take this:\n${verdict.complaints.join('\n')}`)
  const written = folder === null ? null : install(units, folder)
  return { units, verdict, written, user, data_dir: facts.data_dir }
}
