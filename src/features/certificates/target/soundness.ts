/** What is wrong with the files of an installed certificate, and what of it is put right without a new order. Pure. */
import type { StoredVersion } from '../files/port.ts'
import type { ChainDigests, InstalledCertificate } from '../records.ts'

/**
 *   chain   its bytes are kept, so they are written again
 *   key     the file holds the right key in another spelling; of a key that is lost or cut nothing is kept: a new order
 *   mode    owner or mode shut out who must read it, or let in others
 */
export type Mend = 'chain' | 'key' | 'mode'

export interface Soundness {
  /** In words; null where key and chain are, byte for byte, what was written. */
  readonly fault: string | null
  /** Beside a fault: the files are there, and they are something else. */
  readonly altered: boolean
  /** What puts the whole fault right; empty beside a fault: only a new certificate does. */
  readonly mends: readonly Mend[]
  /** Why it is not known how the files stand. */
  readonly unreadable: string | null
  /** Nothing is kept of it yet, and it is whole: it is what is to be kept. */
  readonly to_keep: StoredVersion | null
}

const SOUND: Soundness = { fault: null, altered: false, mends: [], unreadable: null, to_keep: null }
const broken = (fault: string, altered: boolean, mends: readonly Mend[] = []): Soundness => ({
  ...SOUND,
  fault,
  altered,
  mends,
})

/** @param kept what was written, or null where that is not known */
export function soundnessOf(
  { fingerprint, serial }: Pick<InstalledCertificate, 'fingerprint' | 'serial'>,
  version: StoredVersion | undefined,
  kept: ChainDigests | null,
): Soundness {
  if (version === undefined) return broken(`key or certificate of serial ${serial} is missing`, false)
  const [access] = version.access
  if (version.unreadable !== null)
    return access === undefined
      ? { ...SOUND, unreadable: version.unreadable }
      : broken(access, true, ['mode'])
  const content = kept?.fingerprint === fingerprint ? compared(version, kept) : evaluatedAlone(version)
  if (access === undefined || (content.fault !== null && content.mends.length === 0)) return content
  return { ...content, ...broken(content.fault ?? access, true, [...content.mends, 'mode']) }
}

/** By digest: a chain that begins with the right leaf may lack all the rest. */
function compared(version: StoredVersion, kept: ChainDigests): Soundness {
  const { chain_file, key_file, fault, chain_sha256, key_sha256, plain_key_sha256 } = version
  const has_key = key_sha256 === kept.key_sha256
  if (!has_key && plain_key_sha256 !== kept.key_sha256)
    return key_sha256 === null
      ? broken(`${key_file} is missing`, false)
      : broken(`${key_file} does not hold the key of its certificate`, true)
  if (chain_sha256 === kept.chain_sha256)
    return has_key ? SOUND : broken(`${key_file} is not what was written, byte for byte`, true, ['key'])
  const mends: readonly Mend[] = has_key ? ['chain'] : ['chain', 'key']
  return chain_sha256 === null
    ? broken(`${chain_file} is missing`, false, mends)
    : broken(fault ?? `${chain_file} is not what was written, byte for byte`, true, mends)
}

/** An installation from before chains were kept: only a chain that is whole speaks for itself. */
function evaluatedAlone(version: StoredVersion): Soundness {
  const { chain_file, fault, altered, whole_chain } = version
  if (fault !== null) return broken(fault, altered === true)
  if (!whole_chain)
    return broken(`${chain_file} is no whole chain: an intermediate is missing or damaged`, true)
  return { ...SOUND, to_keep: version }
}
