/**
 * How a zone deviates from what we left there. Pure.
 *
 * The engine takes a new fingerprint for the work of a stranger. So it covers what others did to sets of ours, and
 * neither their own records nor our own half-finished work nor a moved address, which would all look like a fight.
 */
import { digestOf } from '../../../../kernel/digest.ts'
import { type OwnedRrset, rrsetKey } from '../../../../model/network/dns.ts'
import { conflictAt } from '../deciding/conflict.ts'
import { valueStateOf } from '../deciding/evaluate.ts'
import { isMarked, markOf } from './marks.ts'
import { listingOf, type ZoneState } from '../zones/zone-state.ts'

export function fingerprint(state: ZoneState): string {
  const known = KNOWN.get(state)
  if (known !== undefined) return known
  const digest = deviationsOf(state)
  KNOWN.set(state, digest)
  return digest
}

const KNOWN = new WeakMap<ZoneState, string>()

const deviationsOf = (state: ZoneState): string =>
  digestOf(
    state.owned.flatMap((row) => {
      const deviation = row.state === 'owned' ? deviationOf(state, row) : null
      return deviation === null ? [] : [[rrsetKey(row), deviation]]
    }),
  )

/** What is there instead of what we left; null where nothing is. */
function deviationOf(state: ZoneState, row: OwnedRrset): unknown {
  const conflict = conflictAt(state, row.name)?.detail ?? null
  const listed = listingOf(state).set(row.name, row.type)
  if (listed === null) return { absent: true, conflict }
  const is_ours = isMarked(state, row.name, markOf(state, row.name, listed), row.domain_id)
  const is_as_left =
    valueStateOf(listed, row) === 'as_sent' && listed.ttl === row.ttl && listed.proxied === row.proxied
  if (is_as_left && is_ours && conflict === null) return null
  const { values, ttl, proxied, comment } = listed
  return { values, ttl, proxied, comment, is_ours, conflict }
}
