/** Keys and chains in folders of the file system: the port's contract put together. */
import type { Dirent } from 'node:fs'
import { chmod, lstat, open, readdir, rmdir, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readFault, writeFault } from '../../../io/files/faults.ts'
import { lookAt } from '../../../io/files/look.ts'
import { writeAtomically } from '../../../io/files/write-atomically.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { Failure, systemErrorCode } from '../../../kernel/failure.ts'
import { makeFolder } from '../../../kernel/make-folder.ts'
import { accessFault, type AccessRule } from '../../../model/file-access.ts'
import type { IsWholeChain, KeyFits, PlainKey, ReadCertificate } from '../../../ports/x509.ts'
import type { CertificateRequest } from '../issuing/request.ts'
import { folderOf, nameOf, requestFile, requestIn, versionFiles, versionIn } from './certificate-names.ts'
import { CHAIN_ACCESS, CheckedVersions, KEY_ACCESS, stampOf, statusOf } from './checked-versions.ts'
import type {
  CertificateFiles,
  Mending,
  NewVersion,
  RequestKey,
  StoredVersion,
  VersionFiles,
  VersionId,
} from './port.ts'

const PRIVATE = 0o600
const MAX_BYTES = 1024 * 1024

export interface CertificateFilesOptions {
  readonly read: ReadCertificate
  readonly fits: KeyFits
  readonly is_whole: IsWholeChain
  readonly plain: PlainKey
}

export const certificateFiles = (directory: string, options: CertificateFilesOptions): CertificateFiles =>
  new Folders(resolve(directory), options)

class Folders implements CertificateFiles {
  readonly directory: string
  readonly #checked: CheckedVersions
  readonly #plain: PlainKey

  constructor(directory: string, options: CertificateFilesOptions) {
    this.directory = directory
    this.#plain = options.plain
    this.#checked = new CheckedVersions({ ...options, max_bytes: MAX_BYTES })
  }

  /** The key first: who sees the chain may rely on the key. */
  async store(version: NewVersion, signal: AbortSignal): Promise<StoredVersion> {
    const { name, fingerprint, key_pem, chain_pem } = version
    const folder = this.#folder(name)
    const files = versionFiles(folder, version)
    await privateFolder(folder)
    await write(files.key_file, key_pem, signal)
    await write(files.chain_file, chain_pem, signal)
    await this.mark(signal)
    return this.#checked.look({ name, fingerprint, ...files }, signal)
  }

  /** Modes first: what was closed cannot be read. */
  async mend(version: VersionId, { chain_pem, key_sha256 }: Mending, signal: AbortSignal): Promise<void> {
    const folder = this.#folder(version.name)
    const { key_file, chain_file } = versionFiles(folder, version)
    await privateFolder(folder)
    await restoreMode(key_file, KEY_ACCESS)
    await restoreMode(chain_file, CHAIN_ACCESS)
    if (key_sha256 !== null) await this.#restoreKey(key_file, key_sha256, signal)
    if (chain_pem !== null) await write(chain_file, chain_pem, signal)
  }

  async #restoreKey(file: string, wanted: string, signal: AbortSignal): Promise<void> {
    const text = await textOf(file, signal)
    const key_pem = text === null ? null : this.#plain(text)
    if (key_pem === null || sha256([key_pem]) !== wanted)
      throw new Failure('conflict', `${file} does not hold the key of its certificate any more.`)
    await write(file, key_pem, signal)
  }

  async chain(version: VersionId, signal: AbortSignal): Promise<string | null> {
    const folder = this.#folder(version.name)
    return (await isRealFolder(folder)) ? textOf(versionFiles(folder, version).chain_file, signal) : null
  }

  async list(signal: AbortSignal): Promise<readonly StoredVersion[]> {
    const found: StoredVersion[] = []
    for (const { name, files } of await this.#certificates())
      for (const fingerprint of new Set(files.flatMap((file) => versionIn(file) ?? []))) {
        const paths = versionFiles(this.#folder(name), { name, fingerprint })
        found.push(await this.#checked.look({ name, fingerprint, ...paths }, signal))
      }
    this.#checked.keepOnly(found)
    return found
  }

  async assertPresent(installed: number): Promise<void> {
    if ((await entriesOf(this.directory)).length === 0) throw absentFolder(this.directory, installed)
  }

  async mark(signal: AbortSignal): Promise<void> {
    const file = join(this.directory, MARK)
    try {
      if (statusOf(file) === null) await write(file, MARK_TEXT, signal)
    } catch (error) {
      // A certificate that stands is worth more than its mark.
      if (signal.aborted || !(error instanceof Failure)) throw error
    }
  }

  paths({ name, fingerprint }: VersionId): VersionFiles {
    return { name, fingerprint, ...versionFiles(this.#folder(name), { name, fingerprint }) }
  }

  glance(version: VersionId): string | null {
    const { key_file, chain_file } = this.paths(version)
    return stampOf([chain_file, key_file])
  }

  async drop({ name, fingerprint }: VersionId): Promise<void> {
    const { key_file, chain_file } = versionFiles(this.#folder(name), { name, fingerprint })
    await this.#remove(name, [chain_file, key_file])
  }

  async keepRequest(order: RequestKey, request: CertificateRequest, signal: AbortSignal): Promise<void> {
    const folder = this.#folder(order.name)
    const file = requestFile(folder, order)
    await privateFolder(folder)
    await write(file, requestText(request), signal)
  }

  async request(order: RequestKey, signal: AbortSignal): Promise<CertificateRequest | null> {
    const folder = this.#folder(order.name)
    if (!(await isRealFolder(folder))) return null
    const text = await textOf(requestFile(folder, order), signal)
    return text === null ? null : partsOfRequest(text)
  }

  async requests(): Promise<readonly RequestKey[]> {
    const all = await this.#certificates()
    return all.flatMap(({ name, files }) =>
      files.flatMap((file) => {
        const order_id = requestIn(file)
        return order_id === null ? [] : [{ name, order_id }]
      }),
    )
  }

  async dropRequest(order: RequestKey): Promise<void> {
    await this.#remove(order.name, [requestFile(this.#folder(order.name), order)])
  }

  readonly #folder = (name: string): string => join(this.directory, folderOf(name))

  /** Ordered by name, and so their files. What is no folder of ours is left out. */
  async #certificates(): Promise<readonly { readonly name: string; readonly files: readonly string[] }[]> {
    const found: { name: string; files: string[] }[] = []
    for (const entry of await entriesOf(this.directory)) {
      const name = entry.isDirectory() ? nameOf(entry.name) : null
      if (name === null) continue
      const files = await entriesOf(join(this.directory, entry.name))
      found.push({ name, files: files.map((file) => file.name).sort() })
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** The folder goes with the last thing in it. */
  async #remove(name: string, files: readonly string[]): Promise<void> {
    const folder = this.#folder(name)
    if (!(await isRealFolder(folder))) return
    for (const file of files)
      await unlink(file).catch((error: unknown) => {
        if (systemErrorCode(error) !== 'ENOENT') throw writeFault(error, file)
      })
    await rmdir(folder).catch(() => undefined)
  }
}

/** Stays when the last certificate goes, so that an empty directory is none that we have written to. */
const MARK = '.plumbline'
const MARK_TEXT =
  'Plumbline keeps its keys and certificates here. This file tells the folder from an empty mount point.\n'

const absentFolder = (directory: string, installed: number): Failure =>
  new Failure(
    'component_unavailable',
    `${directory} is missing or empty, and ${installed === 1 ? '1 certificate is' : `${installed} certificates are`} installed there. ` +
      'Mount it or put it back. Where the keys are lost for good, say so as the user of the daemon, and new ones are ordered: ' +
      `mkdir -p ${directory} && touch ${directory}/${MARK}`,
    { facts: { absent: true } },
  )

const write = (file: string, text: string, signal: AbortSignal): Promise<void> =>
  writeAtomically(file, [Buffer.from(text)], { mode: PRIVATE, signal })

/** Null for nothing and for what is no regular file of a fitting size. */
async function textOf(file: string, signal: AbortSignal): Promise<string | null> {
  const look = await lookAt(file, { max_bytes: MAX_BYTES, known: null }, signal)
  return look.kind === 'file' ? Buffer.from(look.bytes).toString() : null
}

async function restoreMode(file: string, rule: AccessRule): Promise<void> {
  const status = statusOf(file)
  if (status?.isFile() !== true) return
  const fault = accessFault({ mode: Number(status.mode) }, rule)
  if (fault === null) return
  await chmod(file, fault.mode).catch((error: unknown) => {
    throw writeFault(error, file)
  })
}

/** A key and the request that it signed, as one PEM text, so that one rename puts both on the disk. */
const REQUEST = 'CERTIFICATE REQUEST'
const KEY_BLOCK = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[A-Za-z0-9+/=\s]+-----END \1-----\n?/
const REQUEST_BLOCK = new RegExp(`-----BEGIN ${REQUEST}-----([A-Za-z0-9+/=\\s]+)-----END ${REQUEST}-----`)

function requestText({ key_pem, csr }: CertificateRequest): string {
  const lines = Buffer.from(csr).toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()
  return `${key_pem.trimEnd()}\n-----BEGIN ${REQUEST}-----\n${lines}\n-----END ${REQUEST}-----\n`
}

/** Null for any other text. */
function partsOfRequest(text: string): CertificateRequest | null {
  const key = KEY_BLOCK.exec(text)?.[0]
  const csr = REQUEST_BLOCK.exec(text)?.[1]
  return key === undefined || csr === undefined ? null : { key_pem: key, csr: Buffer.from(csr, 'base64') }
}

// Folders that hold keys: private to us, real ones, and on the disk before anything is put into them.

/** Makes it, and its parents, where it is missing. Throws a Failure (`storage_unwritable`) for a link or a file there. */
async function privateFolder(folder: string): Promise<void> {
  try {
    const made = makeFolder(folder, 0o700)
    // The first that was made stands in a folder that does not know of it for good until it is synced.
    if (made !== undefined)
      for (let at = folder; at !== dirname(made); at = dirname(at)) await sync(dirname(at))
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw writeFault(error, folder)
  }
  if (!(await isRealFolder(folder)))
    throw new Failure(
      'storage_unwritable',
      `${folder} is not a directory of its own. Move away what stands there; keys are not written through links.`,
    )
}

/** False for nothing, for a link, for anything else. */
async function isRealFolder(folder: string): Promise<boolean> {
  try {
    return (await lstat(folder)).isDirectory()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return false
    throw readFault(error, folder)
  }
}

/**
 * What stands in it; nothing where it is missing. Throws a Failure (`component_unavailable`), for a link or a file in its
 * place too: were that taken for "no certificates", all of them would be ordered anew and dropped from the proxy's file.
 */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    if ((await lstat(folder)).isDirectory()) return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return []
    throw readFault(error, folder)
  }
  throw new Failure(
    'component_unavailable',
    `${folder} is not a directory of its own, so nobody knows which certificates there are. Move away what stands there.`,
  )
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
