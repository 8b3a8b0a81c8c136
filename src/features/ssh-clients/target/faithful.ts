/**
 * The last check before a file replaces the gateway's: read back the way sshd reads it, it says exactly what the clients
 * are, and nothing of anybody else's was touched. One line that holds two keys would be a key that nobody listed.
 */
import { Failure } from '../../../kernel/failure.ts'
import { readSheet, type Sheet } from '../model/block.ts'
import type { SshClient } from '../../../model/ssh/client.ts'
import { readLine } from '../model/line.ts'
import { optionWords } from '../../../model/ssh/options.ts'
import { parseKey } from '../../../model/ssh/public-key.ts'

export interface Source {
  readonly sheet: Exclude<Sheet, { kind: 'damaged' }>
  readonly clients: readonly SshClient[]
}

/** @param text the new file. Throws `internal`. */
export function assertFaithful(text: string, { sheet, clients }: Source): void {
  const written = readSheet(text)
  const fault =
    written.kind === 'block' ? faultOf(written, { sheet, clients }) : 'its block does not read back'
  if (fault !== null)
    throw new Failure('internal', `ssh-gateway: the new authorized_keys was not written, because ${fault}.`)
}

function faultOf(
  { before, lines, after }: Extract<Sheet, { kind: 'block' }>,
  { sheet, clients }: Source,
): string | null {
  if (before !== sheet.before && before !== `${sheet.before}\n`) return 'lines before the block would change'
  if (after !== (sheet.kind === 'block' ? sheet.after : '')) return 'lines after the block would change'
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
