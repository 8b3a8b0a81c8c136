/** DNS as a component: one desired state for all zones, and a target for each zone that has something to do with it. */
import type { AnyTarget, TargetFamily } from '../../../engine/target.ts'
import type { Intent } from '../../../model/intent.ts'
import { dnsCodec } from './codec.ts'
import { desireDns, type DnsDesired } from './desire.ts'
import type { DnsParts } from './parts.ts'
import { type ZoneTarget, zoneTarget } from './target.ts'
import type { DnsTarget } from './parts.ts'
import type { KnownZone } from './zones/zone-index.ts'

export interface DnsFamily extends TargetFamily<DnsDesired> {
  /** The target of a zone, made on first asking; the same zone is the same object. */
  target(zone: string): DnsTarget
  /** Zones that have something to do with this intent, ordered by name. */
  zonesFor(intent: Intent): readonly string[]
  /** The zone that holds a name, or would; null where no account has one. */
  zoneFor(name: string): KnownZone | null
  /** By its own name, also one that only the ledger knows. */
  zoneNamed(name: string): KnownZone | null
  /** Live names that lie in no zone of any account: nothing can be done for them here. */
  withoutZone(intent: Intent): readonly string[]
  /** To be called when reported addresses have changed: every zone is looked at. */
  changed(): void
  /** There is reason not to believe what is kept of a zone: it is listed in full, soon. */
  invalidate(zone: string): void
  /** Listings that went on without their callers end. */
  close(): void
}

export function dnsFamily(parts: DnsParts): DnsFamily {
  const { zone_index, settings } = parts
  const targets = new Map<string, ZoneTarget>()
  const hints = new Set<() => void>()
  const desire = remembered((intent: Intent) => desireDns(intent, settings))
  const blueprint = { name: 'dns', artifact: 'dns', desire, codec: dnsCodec, may_be_ignored: true } as const
  const watch = (hint: () => void) => {
    // Two watchers may pass the same function.
    const own = () => hint()
    hints.add(own)
    return { close: () => void hints.delete(own) }
  }
  const target = (zone: string): DnsTarget => {
    const made = targets.get(zone) ?? zoneTarget(zone, { ...parts, blueprint, watch })
    targets.set(zone, made)
    return made.target
  }
  const zonesFor = rememberedFor(
    () => zone_index.version,
    (intent: Intent) => zonesOf(desire(intent), parts),
  )
  return {
    ...blueprint,
    target,
    zonesFor,
    targetsFor: (intent) => zonesFor(intent).map((zone) => target(zone) as unknown as AnyTarget),
    zoneFor: (name) => zone_index.zoneFor(name),
    zoneNamed: (name) => zone_index.zoneNamed(name),
    withoutZone: (intent) =>
      desire(intent)
        .wanted.map(({ name }) => name)
        .filter((name) => zone_index.zoneFor(name) === null),
    changed() {
      for (const hint of hints) hint()
    },
    invalidate: (zone) => targets.get(zone)?.invalidate(),
    close() {
      for (const made of targets.values()) made.close()
    },
  }
}

/** Ordered by name. A zone that is not there yet is worth a target only for a name that is wanted. */
function zonesOf({ wanted, kept, retired }: DnsDesired, { zone_index }: DnsParts): readonly string[] {
  const zones = new Set(zone_index.ledgerZones())
  for (const { name } of wanted) {
    const zone = zone_index.zoneFor(name)
    if (zone !== null) zones.add(zone.name)
  }
  for (const { name } of [...kept, ...retired]) {
    const zone = zone_index.zoneFor(name)
    if (zone !== null && !zone.planned) zones.add(zone.name)
  }
  return [...zones].sort()
}

/** Intents are frozen and shared, so one answer does for all zones. */
function remembered<T>(of: (intent: Intent) => T): (intent: Intent) => T {
  return rememberedFor(() => '', of)
}

function rememberedFor<T>(version: () => string, of: (intent: Intent) => T): (intent: Intent) => T {
  const kept = new WeakMap<Intent, { readonly version: string; readonly value: T }>()
  return (intent) => {
    const found = kept.get(intent)
    const now = version()
    if (found?.version === now) return found.value
    const made = { version: now, value: of(intent) }
    kept.set(intent, made)
    return made.value
  }
}
