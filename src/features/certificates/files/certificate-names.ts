/** How certificates, versions and requests are called on disk. Nothing that could lead out of a folder has a name here. */
import { join } from 'node:path'
import { Failure } from '../../../kernel/failure.ts'
import type { RequestKey, StoredVersion } from './port.ts'

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const NAME = new RegExp(`^(?:\\*\\.)?${LABEL}(?:\\.${LABEL})*$`)
/** A star is awkward in shells; no host has such a label. */
const WILDCARD = '_wildcard'
/** NAME_MAX of the usual file systems. */
const LONGEST = 255
const FINGERPRINT = /^[0-9a-f]{64}$/
const ORDER_ID = /^[A-Za-z0-9-]{1,64}$/

const KEY = '.key.pem'
const CHAIN = '.chain.pem'
const VERSION_FILE = /^([0-9a-f]{64})\.(?:key|chain)\.pem$/
const REQUEST_FILE = /^order-([A-Za-z0-9-]{1,64})\.pem$/

/** `_wildcard.example.com` for `*.example.com`. Throws a Failure (`malformed_request`) for what is no name. */
export function folderOf(name: string): string {
  const folder = name.startsWith('*.') ? `${WILDCARD}${name.slice(1)}` : name
  const ambiguous = name === WILDCARD || name.startsWith(`${WILDCARD}.`)
  if (!NAME.test(name) || ambiguous || folder.length > LONGEST)
    throw new Failure(
      'malformed_request',
      `No folder of certificates can be made for ${JSON.stringify(name)}.`,
    )
  return folder
}

/** Null for a folder that is none of ours. */
export function nameOf(folder: string): string | null {
  const name = folder.startsWith(`${WILDCARD}.`) ? `*${folder.slice(WILDCARD.length)}` : folder
  return NAME.test(name) && folder !== WILDCARD && !folder.startsWith('*') ? name : null
}

/** The fingerprint; null for another file. */
export const versionIn = (file: string): string | null => VERSION_FILE.exec(file)?.[1] ?? null
/** The order's id; null for another file. */
export const requestIn = (file: string): string | null => REQUEST_FILE.exec(file)?.[1] ?? null

export function versionFiles(
  folder: string,
  { name, fingerprint }: Pick<StoredVersion, 'name' | 'fingerprint'>,
): Pick<StoredVersion, 'key_file' | 'chain_file'> {
  if (!FINGERPRINT.test(fingerprint))
    throw new Failure('malformed_request', `${name}: ${JSON.stringify(fingerprint)} is no fingerprint.`)
  return {
    key_file: join(folder, `${fingerprint}${KEY}`),
    chain_file: join(folder, `${fingerprint}${CHAIN}`),
  }
}

export function requestFile(folder: string, { order_id }: RequestKey): string {
  if (!ORDER_ID.test(order_id))
    throw new Failure('malformed_request', `${JSON.stringify(order_id)} is no order's id.`)
  return join(folder, `order-${order_id}.pem`)
}
