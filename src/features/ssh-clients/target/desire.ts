/**
 * What the gateway should hold: the clients of the database. They are in force as soon as they are saved, so there is no
 * edition of them and nothing of them in a release; the present ones are part of every look, as reported addresses are
 * for DNS. What a release freezes is only the form of the lines.
 */
import type { Codec } from '../../../engine/target.ts'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import { blockOf, type Sheet, withBlock } from '../model/block.ts'
import type { SshClient } from '../../../model/ssh/client.ts'
import { lineOf } from '../model/line.ts'
import type { WorldStamp } from '../../../model/world-stamp.ts'
import { assertFaithful } from './faithful.ts'

export interface GatewayDesired {
  /** The form of the lines. */
  readonly form: 1
}

export const DESIRED: GatewayDesired = { form: 1 }

export const gatewayCodec: Codec<GatewayDesired> = {
  freeze(desired) {
    const chunks = [Buffer.from(canonicalJson(desired))]
    return { digest: sha256(chunks), chunks }
  },
  thaw: (chunks) => JSON.parse(Buffer.concat(chunks).toString('utf8')) as GatewayDesired,
}

/** What is between the markers, markers included, but for how far the world is. */
export const desiredBlock = (clients: readonly SshClient[]): string => blockOf(clients.map(lineOf))

/** The whole file as it should be, read back and compared before anybody gets it. Throws `internal`. */
export function desiredBytes(
  sheet: Exclude<Sheet, { kind: 'damaged' }>,
  clients: readonly SshClient[],
  stamp: WorldStamp | null = null,
): Buffer {
  const text = withBlock(sheet, blockOf(clients.map(lineOf), stamp))
  assertFaithful(text, { sheet, clients })
  return Buffer.from(text, 'latin1')
}
