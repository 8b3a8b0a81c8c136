/** What a deactivation says of DNS records that the ledger has for ours: whether they still are, as the zone shows them now. */
import type { ComponentResult } from '../../../core/answers.ts'
import type { SaidAfter } from '../../../core/deploy.ts'
import { type OwnedRrset, rrsetItem, rrsetKey } from '../../../model/network/dns.ts'
import type { Deps } from '../deps.ts'
import { lookInTime } from '../integrity/look-in-time.ts'
import type { ZoneLook } from '../service.ts'
import type { RecordState } from '../views.ts'

export interface Done {
  /** Of the call: a zone that it could not read is not asked once more. */
  readonly components: readonly ComponentResult[]
  readonly signal: AbortSignal
}

type Unread = Extract<ZoneLook, { known: false }>

/** Ours, whatever else is asked of them. */
const KEPT: ReadonlySet<RecordState | 'unread'> = new Set([
  'owned',
  'applying',
  'removing',
  'unmarked',
  'adopted',
  'releasing',
])

/** Of records in a zone that could not be looked at: a name that they had may be somebody else's by now. */
export async function keptDnsWords(
  deps: Pick<Deps, 'store' | 'dns' | 'clock'>,
  sets: readonly OwnedRrset[],
  done: Done,
): Promise<SaidAfter> {
  const zones = [...new Set(sets.map(({ zone }) => zone))]
  const looks = await looksAt(deps, zones, done)
  const found = sets.map((set) => ({ set, state: stateAmong(looks.get(set.zone), set) }))
  const words = found.some(({ state }) => KEPT.has(state)) ? [', its DNS records are kept'] : []
  for (const { set, state } of found)
    if (!KEPT.has(state)) words.push(`; its DNS record ${rrsetItem(set)} ${becameOf(state)}`)
  return {
    words: words.join(''),
    warnings: zones.flatMap((zone) => notLookedAt(zone, looks.get(zone), sets)),
  }
}

/** By zone. */
const looksAt = async (
  deps: Pick<Deps, 'store' | 'dns' | 'clock'>,
  zones: readonly string[],
  { components, signal }: Done,
): Promise<ReadonlyMap<string, ZoneLook>> =>
  new Map(
    await Promise.all(
      zones.map(async (zone) => {
        const unread = unreadByCall(components, deps.dns.keyOf(zone))
        return [zone, unread ?? (await lookInTime(deps, zone, signal))] as const
      }),
    ),
  )

/** Null where the call has read the zone. */
function unreadByCall(components: Done['components'], key: string): Unread | null {
  const of_zone = components.find((one) => one.key === key)
  if (of_zone !== undefined && of_zone.outcome !== 'unknown' && of_zone.outcome !== 'suspended') return null
  return { known: false, key, detail: of_zone?.message ?? 'It was not looked at.' }
}

function notLookedAt(
  zone: string,
  look: ZoneLook | undefined,
  sets: readonly OwnedRrset[],
): readonly string[] {
  if (look === undefined || look.known) return []
  const items = sets.filter((set) => set.zone === zone).map(rrsetItem)
  return [
    `The zone ${zone} could not be looked at, so it is not known what stands now at ${items.join(', ')}; ` +
      `none of it was taken away. ${look.detail}`,
  ]
}

/** One that the ledger has lost to somebody since is shown by nobody any more. */
function stateAmong(look: ZoneLook | undefined, set: OwnedRrset): RecordState | 'unread' {
  if (look?.known !== true) return 'unread'
  const key = rrsetKey(set)
  const view = look.records.find(({ name, managed_type: type }) => rrsetKey({ name, type }) === key)
  return view?.state ?? 'foreign'
}

function becameOf(state: RecordState | 'unread'): string {
  if (state === 'unread') return 'is left alone, and it is not known what stands there now'
  if (state === 'lost' || state === 'absent') return 'is not there any more'
  if (state === 'foreign') return 'was replaced by somebody and is left alone'
  return 'cannot be told for ours any more and is left alone'
}
