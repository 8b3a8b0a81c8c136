/** Which host keys targets show now: the first one is kept, another one than the known is never taken for it. */
import type { Instant } from '../../kernel/clock.ts'
import { mapLimit } from '../../kernel/async/map-limit.ts'
import { parseKey } from '../../model/ssh/public-key.ts'
import type { ContactHost, HostContact } from './contact-port.ts'
import type { SshTarget } from './records.ts'

const AT_ONCE = 32
/** A network of dead machines must not hold up a deploy. */
const ALL_WITHIN_MS = 20_000

/** What each target showed, by its id; the ones for which no time was left are not in it. */
export async function contactAll(
  targets: readonly SshTarget[],
  contact: ContactHost,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, HostContact>> {
  const limit = AbortSignal.timeout(ALL_WITHIN_MS)
  const bounded = AbortSignal.any([signal, limit])
  const found = new Map<string, HostContact>()
  // Who is not known yet comes first.
  const order = targets.toSorted((a, b) => Number(a.host_key !== null) - Number(b.host_key !== null))
  await mapLimit(order, { at_once: AT_ONCE }, async ({ id, address, port, host_key }) => {
    if (limit.aborted) return
    try {
      const type = host_key?.split(' ')[0] ?? null
      found.set(id, await contact({ host: address, port, type }, bounded))
    } catch (error) {
      if (signal.aborted || !limit.aborted) throw error
    }
  })
  return found
}

export interface KeyChange {
  readonly row: SshTarget
  /** What a person is to hear of it; null for nothing. */
  readonly warning: string | null
}

/** Pure. @param contact undefined where it was not asked */
export function withContact(row: SshTarget, contact: HostContact | undefined, at: Instant): KeyChange {
  if (contact?.known !== true) {
    const why = contact === undefined ? 'there was no time to ask it' : contact.detail
    const nobody = `No host key of ${row.name} is known, so ssh lets nobody through: ${why}`
    return { row, warning: row.host_key === null ? nobody.replace(/\.?$/, '.') : null }
  }
  // It becomes a line of a file: what a server sends may be anything.
  const [type = '', key = '', ...rest] = contact.key.split(' ')
  if (rest.length > 0 || !parseKey(type, key).ok)
    return {
      row,
      warning: row.host_key === null ? `${row.name} shows a host key that does not parse.` : null,
    }
  if (row.host_key === null)
    return { row: { ...row, host_key: contact.key, key_origin: 'contact' }, warning: null }
  if (row.host_key === contact.key) return { row: { ...row, shown_key: null, shown_at: null }, warning: null }
  const shown_at = row.shown_key === contact.key ? row.shown_at : at
  const changed = { ...row, shown_key: contact.key, shown_at }
  return { row: changed, warning: `${changedWords(changed)} ${remedyFor(changed)}` }
}

export const changedWords = ({ name, address, shown_key, host_key }: SshTarget): string =>
  `${name} (${address}) shows another host key than the one that is known: ${shortKey(shown_key)} instead of ${shortKey(host_key)}.`

export const remedyFor = ({ name, user, address, port, shown_key }: SshTarget): string =>
  'Somebody may stand in between, so the known one stays. If the machine was set up anew, say so in PLUMBLINE_SSH_TARGETS: ' +
  `${name}=${user}@${address.includes(':') ? `[${address}]` : address}:${port} ${shown_key ?? ''}`

function shortKey(text: string | null): string {
  const [type = '', key = ''] = (text ?? '').split(' ')
  const parsed = parseKey(type, key)
  return parsed.ok ? `${type} ${parsed.value.fingerprint}` : type
}
