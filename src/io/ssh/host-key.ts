/** What a server's key says of itself, and how one of a type is asked for. */
import type { ServerHostKeyAlgorithm } from 'ssh2'

/** A blob begins with its type (RFC 4253 §6.6). */
export const typeIn = (blob: Buffer): string =>
  blob.length < 4 ? '' : blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1')

/** Keys of RSA are signed with by newer algorithms (RFC 8332 §3); of all others the type is the algorithm. */
export const algorithmsFor = (types: readonly string[]): ServerHostKeyAlgorithm[] =>
  [...new Set(types)].flatMap((type) =>
    type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256'] : [type],
  ) as ServerHostKeyAlgorithm[]
