/**
 * The folders that settings name and that must be there: a misspelt path would else become a folder that nobody reads. What lies
 * in the data directory is made.
 */
import { realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { Failure, type FieldError, fieldError, systemErrorCode } from '../kernel/failure.ts'
import type { Settings } from './sections.ts'

export interface NamedFolder {
  /** Of the setting. */
  readonly name: string
  readonly folder: string
}

/** A DNS account; null where it has no folder. */
interface WithFolder {
  readonly folder: string | null
}

export const isMade = (folder: string, data_dir: string): boolean =>
  `${folder}${sep}`.startsWith(`${data_dir}${sep}`)

/** Those outside the data directory. @param of_accounts of the DNS accounts that settings name */
function foldersOf(
  { routes, certificates, sso, people, ssh, store }: Settings,
  of_accounts: readonly NamedFolder[],
): readonly NamedFolder[] {
  const parentOf = (name: string, path: string | null): NamedFolder[] =>
    path === null ? [] : [{ name, folder: dirname(path) }]
  const keys = ssh.authorized_keys
  return [
    ...parentOf('PLUMBLINE_ROUTES_FILE', routes.file),
    ...of_accounts,
    { name: 'PLUMBLINE_CERTIFICATES_DIR', folder: certificates.dir },
    ...parentOf('PLUMBLINE_CERTIFICATES_FILE', certificates.file),
    ...parentOf('PLUMBLINE_ACME_STORE', certificates.acme_store),
    ...parentOf('PLUMBLINE_SSO_RULES_FILE', sso.rules_file),
    ...parentOf('PLUMBLINE_SSO_USERS_FILE', people.users_file),
    ...parentOf('PLUMBLINE_AUTHORIZED_KEYS', keys?.kind === 'file' ? keys.path : null),
  ].filter(({ folder }) => !isMade(folder, store.data_dir))
}

/** Those of the accounts file. */
const accountFolders = (accounts: readonly WithFolder[], { store }: Settings): readonly NamedFolder[] =>
  accounts
    .flatMap(({ folder }) => folder ?? [])
    .filter((folder) => !isMade(folder, store.data_dir))
    .map((folder) => ({ name: 'PLUMBLINE_DNS_ACCOUNTS_FILE', folder }))

/** What we may not look into may be there. */
function stateOf(folder: string): 'there' | 'missing' | 'no folder' {
  try {
    return statSync(folder).isDirectory() ? 'there' : 'no folder'
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '') ? 'missing' : 'there'
  }
}

const faultsOf = (folders: readonly NamedFolder[]): readonly FieldError[] =>
  folders.flatMap(({ name, folder }) => {
    const state = stateOf(folder)
    if (state === 'there') return []
    const words =
      state === 'no folder'
        ? `leads to ${folder}, which is no folder. Correct the path`
        : `leads to the folder ${folder}, which does not exist. Correct the path, or make it: mkdir -p ${folder}`
    return [fieldError([name], words, 'config')]
  })

/** Throws `bad_configuration` with a line per folder that is missing, and for a data directory where nothing can be kept. */
export function assertFolders(settings: Settings, of_accounts: readonly NamedFolder[]): void {
  assertNone(placeFaults(settings.store.data_dir))
  assertNone(faultsOf(foldersOf(settings, of_accounts)))
}

/** The kernel's own: below them a folder cannot be made, nothing stays, and Node may wait for ever. `/dev/shm` is memory. */
const PSEUDO = /^\/(?:proc|sys|dev)(?:\/|$)(?!shm(?:\/|$))/

function placeFaults(data_dir: string): readonly FieldError[] {
  const place = realPlace(data_dir)
  if (!PSEUDO.test(place)) return []
  const words = `leads to ${place}, where the kernel shows itself and nothing can be kept. Name a folder on a disk`
  return [fieldError(['PLUMBLINE_DATA_DIR'], words, 'config')]
}

/** With every link on the way to it followed; what is not there yet stays as it is named. Links of `/proc` are followed by nobody. */
function realPlace(path: string): string {
  if (PSEUDO.test(path)) return path
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPlace(parent), path.slice(parent.length))
  }
}

/** The same of the accounts, once their file was read. */
export const assertAccountFolders = (accounts: readonly WithFolder[], settings: Settings): void =>
  assertNone(faultsOf(accountFolders(accounts, settings)))

function assertNone(errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  const message = errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}.`).join('\n')
  throw new Failure('bad_configuration', message, { errors })
}
