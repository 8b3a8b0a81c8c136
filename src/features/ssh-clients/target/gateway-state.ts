/** One look at the gateway: what stands in its file, beside the clients that should. */
import { sha256 } from '../../../kernel/digest.ts'
import type { SshClient } from '../../../model/ssh/client.ts'
import { strictModesFaults, type WayToFile } from '../../../model/ssh/strict-modes.ts'
import type { FileLook } from '../../../ports/files.ts'
import type { SeenKeys } from '../authorized-keys-port.ts'
import { foreignLines, readKeysText, type KeysText, withoutStamp } from '../model/block.ts'
import { type KeyLine, readLine } from '../model/line.ts'

export interface GatewayState {
  readonly place: string
  readonly look: FileLook
  readonly clients: readonly SshClient[]
  /** Why sshd passes over the file, each with its remedy: of the file itself, and of the folders above it. */
  readonly access?: { readonly file: readonly string[]; readonly folders: readonly string[] }
}

export const gatewayState = (
  place: string,
  { look, way }: SeenKeys,
  clients: readonly SshClient[],
): GatewayState => ({
  place,
  look,
  clients,
  // Of a link it is the way to what somebody else chose.
  access: accessOf(look.kind === 'intruder' && look.what === 'symlink' ? null : way),
})

/** What stands in the place of our file, where that can be put back as it was seen last; null otherwise. */
export function intruderIn({ look }: Pick<GatewayState, 'look'>): Intruder | null {
  // A folder may hold anything, and nothing can be renamed over it.
  if (look.kind !== 'intruder' || look.what === 'directory' || look.before === undefined) return null
  return { what: look.what, before: look.before }
}

/** Fingerprints of keys that a link in the place of our file keeps out, and that putting the file back would let in again. */
export function lackedIn({ look }: Pick<GatewayState, 'look'>): readonly string[] {
  if (look.kind !== 'intruder' || look.before === undefined || look.behind === undefined) return []
  return lackedBehind(textOf(look.behind), textOf(look.before))
}

export interface Intruder {
  readonly what: string
  readonly before: Uint8Array
}

/**
 * The first step is the file itself, which is ours to put right; its folder is not. What lies further above may be seen
 * otherwise by sshd (a mount, a container), so doctor tells of it and nothing is drift for it.
 */
function accessOf(way: WayToFile | null): NonNullable<GatewayState['access']> {
  if (way === null) return { file: [], folders: [] }
  const [own, ...above] = way.steps.slice(0, 2)
  const file = own === undefined ? [] : strictModesFaults({ uid: way.uid, steps: [own] })
  const closed = own !== undefined && (own.mode & 0o400) === 0
  return {
    file: closed ? [`${own.path} cannot be read by its owner: chmod u+r ${own.path}`, ...file] : file,
    folders: strictModesFaults({ uid: way.uid, steps: above }),
  }
}

/** The file's sheet, or that of what is to be put back; null where there is nothing that can be read as one. */
export function keysTextOf(state: Pick<GatewayState, 'look'>): KeysText | null {
  const { look } = state
  if (look.kind === 'absent') return readKeysText('')
  const intruder = intruderIn(state)
  if (intruder !== null) return readKeysText(textOf(intruder.before))
  return look.kind === 'file' ? readKeysText(textOf(look.bytes)) : null
}

/** One character per byte: what is not ours may be in any encoding, or in none. */
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** Of our part alone: foreign lines come and go without anybody having touched what is ours. */
export function fingerprintOfState(state: GatewayState): string {
  const { look } = state
  if (look.kind === 'intruder') return `intruder:${look.what}`
  if (look.kind === 'oversize') return `oversize:${look.size}`
  const keys_text = keysTextOf(state)!
  const access = state.access?.file.join(' ') ?? ''
  if (access !== '' && keys_text.kind === 'block')
    return `${sha256([withoutStamp(keys_text.block)])} ${access}`
  if (keys_text.kind === 'block') return sha256([withoutStamp(keys_text.block)])
  return keys_text.kind === 'damaged'
    ? `damaged:${keys_text.fault}`
    : look.kind === 'absent'
      ? 'absent'
      : 'none'
}

// Where a link stands in the place of `authorized_keys`, sshd reads what the link leads to. What was last seen is put back only
// where no key of somebody else's logs in by that which does not log in now. Pure.
//
//   behind the link                                          then
//   a key more, or one with fewer or other options           put back: the link lets it in
//   else a key less that is not ours, or one that has got    left, and told with the keys
//     options
//   the same keys; nothing that can be read                  put back

/** Fingerprints of keys that putting back would let in again. Texts have one character per byte. */
export function lackedBehind(behind: string, before: string): readonly string[] {
  const now = keysIn(behind.split('\n'))
  const then = keysIn(before.split('\n'))
  if ([...now.values()].some((line) => isMore(line, then.get(line.fingerprint)))) return []
  const foreign = keysIn(foreignLines(before).map(({ text }) => text))
  return [...foreign.values()]
    .filter((line) => isLess(now.get(line.fingerprint), line))
    .map(({ fingerprint }) => fingerprint)
}

/** To sshd the first line of a key that fits decides. */
function keysIn(lines: readonly string[]): ReadonlyMap<string, KeyLine> {
  const keys = new Map<string, KeyLine>()
  for (const text of lines) {
    const line = readLine(text.replace(/\r$/, ''))
    if (line !== null && !keys.has(line.fingerprint)) keys.set(line.fingerprint, line)
  }
  return keys
}

const isMore = (now: KeyLine, before: KeyLine | undefined): boolean =>
  before === undefined || (now.options !== before.options && before.options !== '')

const isLess = (now: KeyLine | undefined, before: KeyLine): boolean =>
  now === undefined || now.options !== before.options
