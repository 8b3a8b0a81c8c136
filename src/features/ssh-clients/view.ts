/** The keys of the gateway as callers see them: ours with how they stand there, and foreign ones beside them. */
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { foreignLines, readKeysText } from './model/block.ts'
import type { SshClient } from '../../model/ssh/client.ts'
import { type KeyLine, lineOf, readLine } from './model/line.ts'
import { parseKey, safeName, weaknessOf } from '../../model/ssh/public-key.ts'
import type { FileLook } from '../../ports/files.ts'
import type { ClientView } from './views.ts'

/** What one look says about every key. `look` is null where nothing is known. */
export function viewsOf(clients: readonly SshClient[], look: FileLook | null): readonly ClientView[] {
  const text = look === null ? null : textOf(look)
  const keys_text = text === null ? null : readKeysText(text)
  if (text === null || keys_text === null || keys_text.kind === 'damaged')
    return clients.map((client) => viewOf(client, 'unknown', false))
  const foreign = foreignLines(text).flatMap((line) => readLine(line.text) ?? [])
  const ours = keys_text.kind === 'block' ? keys_text.lines : []
  const read = ours.flatMap((line) => readLine(line) ?? [])
  const known = new Set(clients.map(({ fingerprint }) => fingerprint))
  const stateOf = (client: SshClient) => {
    if (ours.includes(lineOf(client))) return 'deployed'
    return read.some(({ fingerprint }) => fingerprint === client.fingerprint) ? 'altered' : 'missing'
  }
  return [
    ...clients.map((client) => viewOf(client, stateOf(client), holds(foreign, client.fingerprint))),
    ...read
      .filter(({ fingerprint }) => !known.has(fingerprint))
      .map((line) => strange(line, 'unlisted', holds(foreign, line.fingerprint))),
    ...foreign.map((line) => strange(line, 'foreign', true)),
  ]
}

/** Whether a key stands on a line that is not ours; null where that is not known. */
export function isForeignToo(fingerprint: string, look: FileLook | null): boolean | null {
  const text = look === null ? null : textOf(look)
  if (text === null || readKeysText(text).kind === 'damaged') return null
  return holds(
    foreignLines(text).flatMap((line) => readLine(line.text) ?? []),
    fingerprint,
  )
}

const holds = (lines: readonly KeyLine[], fingerprint: string): boolean =>
  lines.some((line) => line.fingerprint === fingerprint)

/** One character per byte. Null for what is no file. */
function textOf(look: FileLook): string | null {
  if (look.kind === 'absent') return ''
  return look.kind === 'file' ? Buffer.from(look.bytes).toString('latin1') : null
}

function viewOf(client: SshClient, state: ClientView['state'], also_foreign: boolean): ClientView {
  const { fingerprint, type, bits, key, name, options, revision, created_at, updated_at } = client
  return {
    fingerprint,
    type,
    bits,
    weakness: weaknessOf(client),
    key,
    name,
    managed: true,
    state,
    options: { ...options, expires_at: isoTimeOrNull(options.expires_at) },
    line_options: null,
    also_foreign,
    revision,
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
  }
}

function strange(line: KeyLine, state: 'unlisted' | 'foreign', also_foreign: boolean): ClientView {
  const { fingerprint, type, key, comment } = line
  const parsed = parseKey(type, key)
  return {
    fingerprint,
    type: safeName(type),
    bits: parsed.ok ? parsed.value.bits : null,
    weakness: parsed.ok ? weaknessOf(parsed.value) : null,
    key,
    name: safeName(comment),
    managed: false,
    state,
    options: null,
    line_options: Buffer.from(line.options, 'latin1').toString('utf8'),
    also_foreign,
    revision: null,
    created_at: null,
    updated_at: null,
  }
}
