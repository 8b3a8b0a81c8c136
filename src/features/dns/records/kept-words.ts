/** What a deactivation says of DNS records that the ledger has for ours: whether they still are, as the zone shows them now. */
import type { ComponentResult } from '../../../core/answers.ts'
import { type OwnedRrset, rrsetItem, rrsetKey } from '../../../model/network/dns.ts'
import type { Deps } from '../deps.ts'
import { lookInTime } from '../integrity/look-in-time.ts'
import type { RecordState } from './record-view.ts'

interface Done {
  /** Of the call: a zone that could not be read is not asked once more. */
  readonly components: readonly ComponentResult[]
  readonly signal: AbortSignal
}

/** Ours, whatever else is asked of them. */
const KEPT: ReadonlySet<RecordState> = new Set([
  'owned',
  'applying',
  'removing',
  'unmarked',
  'adopted',
  'releasing',
])

/** Goes on with the sentence. What could not be looked at was at least not taken away. */
export async function keptDnsWords(
  deps: Pick<Deps, 'store' | 'dns' | 'clock'>,
  sets: readonly OwnedRrset[],
  { components, signal }: Done,
): Promise<string> {
  const zones = [...new Set(sets.map(({ zone }) => zone))]
  const read = new Set(
    components.flatMap(({ key, outcome }) => (outcome === 'clean' || outcome === 'repaired' ? [key] : [])),
  )
  const asked = zones.filter((zone) => read.has(deps.dns.keyOf(zone)))
  const looks = new Map(
    await Promise.all(asked.map(async (zone) => [zone, await lookInTime(deps, zone, signal)] as const)),
  )
  const found = sets.map((set) => ({ set, state: stateAmong(looks.get(set.zone), set) }))
  const kept = found.filter(({ state }) => state === 'unread' || KEPT.has(state))
  const others = found.filter((one) => !kept.includes(one))
  const words = kept.length === 0 ? '' : ', its DNS records are kept'
  return (
    words + others.map(({ set, state }) => `; its DNS record ${rrsetItem(set)} ${becameOf(state)}`).join('')
  )
}

/** One that the ledger has lost to somebody since is shown by nobody any more. */
function stateAmong(
  look: Awaited<ReturnType<typeof lookInTime>> | undefined,
  set: OwnedRrset,
): RecordState | 'unread' {
  if (look?.known !== true) return 'unread'
  const key = rrsetKey(set)
  const view = look.records.find(({ name, managed_type: type }) => rrsetKey({ name, type }) === key)
  return view?.state ?? 'foreign'
}

function becameOf(state: RecordState | 'unread'): string {
  if (state === 'lost' || state === 'absent') return 'is not there any more'
  if (state === 'foreign') return 'was replaced by somebody and is left alone'
  return 'cannot be told for ours any more and is left alone'
}
