/** One look at the gateway: what stands in its file, beside the clients that should. */
import { sha256 } from '../../kernel/digest.ts'
import { readSheet, type Sheet } from '../../model/ssh/block.ts'
import type { SshClient } from '../../model/ssh/client.ts'
import type { FileLook } from '../../ports/files.ts'

export interface GatewayState {
  readonly place: string
  readonly look: FileLook
  readonly clients: readonly SshClient[]
}

/** The file's sheet, or null where there is no file that can be read as one. */
export function sheetOf({ look }: Pick<GatewayState, 'look'>): Sheet | null {
  if (look.kind === 'absent') return readSheet('')
  return look.kind === 'file' ? readSheet(textOf(look.bytes)) : null
}

/** One character per byte: what is not ours may be in any encoding, or in none. */
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** Of our part alone: foreign lines come and go without anybody having touched what is ours. */
export function fingerprintOfState(state: GatewayState): string {
  const { look } = state
  if (look.kind === 'intruder') return `intruder:${look.what}`
  if (look.kind === 'oversize') return `oversize:${look.size}`
  const sheet = sheetOf(state)!
  if (sheet.kind === 'block') return sha256([sheet.block])
  return sheet.kind === 'damaged' ? `damaged:${sheet.fault}` : look.kind === 'absent' ? 'absent' : 'none'
}
