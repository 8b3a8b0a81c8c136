/**
 * What the gateway should hold: the clients of the database. They are in force as soon as they are saved, so there is no
 * edition of them and nothing of them in a release; the present ones are part of every look, as reported addresses are
 * for DNS. What a release freezes is only the form of the lines.
 */
import type { Codec } from '../../../engine/target.ts'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { SshClient } from '../../../model/ssh/client.ts'
import { optionWords } from '../../../model/ssh/options.ts'
import { parseKey } from '../../../model/ssh/public-key.ts'
import type { WorldStamp } from '../../../model/world-stamp.ts'
import { blockOf, readKeysText, type KeysText, withBlock } from '../model/block.ts'
import { lineOf, readLine } from '../model/line.ts'

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
  keys_text: Exclude<KeysText, { kind: 'damaged' }>,
  clients: readonly SshClient[],
  stamp: WorldStamp | null = null,
): Buffer {
  const text = withBlock(keys_text, blockOf(clients.map(lineOf), stamp))
  assertRoundTrip(text, { keys_text, clients })
  return Buffer.from(text, 'latin1')
}

// The last check before a file replaces the gateway's: read back the way sshd reads it, it says exactly what the clients
// are, and nothing of anybody else's was touched. One line that holds two keys would be a key that nobody listed.

interface Source {
  readonly keys_text: Exclude<KeysText, { kind: 'damaged' }>
  readonly clients: readonly SshClient[]
}

/** @param text the new file. Throws `internal`. */
function assertRoundTrip(text: string, { keys_text, clients }: Source): void {
  const written = readKeysText(text)
  const fault =
    written.kind === 'block' ? faultOf(written, { keys_text, clients }) : 'its block does not read back'
  if (fault !== null)
    throw new Failure('internal', `ssh-gateway: the new authorized_keys was not written, because ${fault}.`)
}

function faultOf(
  { before, lines, after }: Extract<KeysText, { kind: 'block' }>,
  { keys_text, clients }: Source,
): string | null {
  if (before !== keys_text.before && before !== `${keys_text.before}\n`)
    return 'lines before the block would change'
  if (after !== (keys_text.kind === 'block' ? keys_text.after : ''))
    return 'lines after the block would change'
  if (lines.length !== clients.length) return `it has ${lines.length} lines for ${clients.length} clients`
  const wrong = clients.find((client, i) => !saysExactly(lines[i]!, client))
  return wrong === undefined ? null : `the line of ${wrong.fingerprint} does not read back as it was meant`
}

function saysExactly(line: string, client: SshClient): boolean {
  // oxlint-disable-next-line no-control-regex
  if (!/^[\u0020-\u007e]+$/.test(line)) return false
  const { type, key, name, fingerprint, options } = client
  const read = readLine(line)
  const parsed = parseKey(type, key)
  return (
    read !== null &&
    parsed.ok &&
    parsed.value.fingerprint === fingerprint &&
    read.fingerprint === fingerprint &&
    read.type === type &&
    read.key === key &&
    read.comment === name &&
    read.options === optionWords(options).join(',')
  )
}
