/**
 * The folders that settings name and that must be there: a misspelt path would else become a folder that nobody reads. What lies
 * in the data directory is made.
 */
import { existsSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { Failure, type FieldError, fieldError } from '../kernel/failure.ts'
import type { Settings } from './sections.ts'

interface NamedFolder {
  readonly name: string
  readonly folder: string
}

export const isMade = (folder: string, data_dir: string): boolean =>
  `${folder}${sep}`.startsWith(`${data_dir}${sep}`)

/** Those outside the data directory. */
function foldersOf({ routes, dns, certificates, sso, people, store }: Settings): readonly NamedFolder[] {
  const parentOf = (name: string, path: string | null): NamedFolder[] =>
    path === null ? [] : [{ name, folder: dirname(path) }]
  return [
    ...parentOf('PLUMBLINE_ROUTES_FILE', routes.file),
    ...(dns.providers.includes('zonefile')
      ? [{ name: 'PLUMBLINE_ZONEFILE_DIR', folder: dns.zonefile_dir }]
      : []),
    ...parentOf('PLUMBLINE_CERTIFICATES_FILE', certificates.file),
    ...parentOf('PLUMBLINE_SSO_RULES_FILE', sso.rules_file),
    ...parentOf('PLUMBLINE_SSO_USERS_FILE', people.users_file),
  ].filter(({ folder }) => !isMade(folder, store.data_dir))
}

const folderFaults = (settings: Settings): readonly FieldError[] =>
  foldersOf(settings)
    .filter(({ folder }) => !existsSync(folder))
    .map(({ name, folder }) =>
      fieldError(
        [name],
        `leads to the folder ${folder}, which does not exist. Correct the path, or make it: mkdir -p ${folder}`,
        'config',
      ),
    )

/** Throws `bad_configuration` with a line per folder that is missing. */
export function assertFolders(settings: Settings): void {
  const errors = folderFaults(settings)
  if (errors.length === 0) return
  const message = errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}.`).join('\n')
  throw new Failure('bad_configuration', message, { errors })
}
