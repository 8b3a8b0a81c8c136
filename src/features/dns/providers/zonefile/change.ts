/** From the text of a zone file and the wanted changes to the new text, proved before anybody writes it. Pure. */
import { Failure } from '../../../../kernel/failure.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { rrsetItem, rrsetKey } from '../../../../model/network/dns.ts'
import { type CheckedChange } from '../checked-change.ts'
import { valueOf } from '../rdata.ts'
import { editZone } from './edit.ts'
import { type ParsedZone, parseZone, type ZoneRecord } from './parse.ts'
import { nextSerial } from './serial.ts'
import { setsOf } from './sets.ts'

// Types that stand beside an alias by design (RFC 4034 §2.5, §3, §4).
const BESIDE_ALIAS = ['CNAME', 'RRSIG', 'NSEC', 'KEY', 'SIG']

/**
 * The new text (Latin-1), or null when all stands as wanted. The text is read again and every set compared: those named
 * are as wanted, all others as they were. Throws `provider_refused` where the zone would break a rule that servers hold.
 */
export function changedText(
  zone: ParsedZone,
  changes: readonly CheckedChange[],
  now: Instant,
): string | null {
  const text = editZone(zone, changes, (present) => nextSerial(present, now))
  if (text === null) return null
  const after = parseZone(zone.zone, text)
  refuseAliases(after, changes)
  prove(zone, after, changes)
  return text
}

/** A CNAME beside other data is refused by every server (RFC 1034 §3.6.2), and with it the whole zone. */
function refuseAliases({ zone, records }: ParsedZone, changes: readonly CheckedChange[]): void {
  const touched = new Map(
    changes.filter(({ wanted }) => wanted !== null).map((change) => [change.name, change]),
  )
  const types = new Map<string, Set<string>>()
  for (const { name, type } of records)
    if (touched.has(name)) types.set(name, (types.get(name) ?? new Set()).add(type))
  for (const [name, found] of types) {
    const others = [...found].filter((type) => !BESIDE_ALIAS.includes(type))
    if (found.has('CNAME') && others.length > 0)
      throw new Failure(
        'provider_refused',
        `zonefile: ${rrsetItem(touched.get(name)!)} in ${zone} cannot stand: ${name} would be an alias (CNAME) and have ${others.join(', ')} as well. Nothing was changed.`,
      )
  }
}

/** Guards against ourselves: a mistake in editing must never reach the disk. */
function prove(before: ParsedZone, after: ParsedZone, changes: readonly CheckedChange[]): void {
  const wanted = wantedPrints(before, changes)
  const found = fingerprints(setsOf(after.records))
  const wrong = [...wanted].find(([key, print]) => found.get(key) !== print)?.[0]
  const extra = [...found.keys()].find((key) => !wanted.has(key))
  if (wrong !== undefined || extra !== undefined)
    throw new Failure(
      'internal',
      `zonefile: the edit of ${before.zone} came out wrong and was not written.`,
      {
        inside: `at ${wrong ?? extra}`,
      },
    )
}

/** Of all sets as they were, but for those that are to change. */
function wantedPrints(before: ParsedZone, changes: readonly CheckedChange[]): ReadonlyMap<string, string> {
  const prints = fingerprints(setsOf(before.records))
  for (const change of changes)
    if (change.wanted === null) prints.delete(rrsetKey(change))
    else {
      const { ttl, data } = change.wanted
      const values = data.map((wire) => `${ttl} ${valueOf(change.type, wire)}`)
      prints.set(rrsetKey(change), values.sort().join('\n'))
    }
  return prints
}

/** Everything that a set says, but for its comments; of the SOA not the serial, which alone may change. */
function fingerprints(sets: ReadonlyMap<string, readonly ZoneRecord[]>): Map<string, string> {
  return new Map([...sets].map(([key, set]) => [key, set.map(fingerprint).sort().join('\n')]))
}

function fingerprint({ type, ttl, value }: ZoneRecord): string {
  return `${ttl} ${type === 'SOA' ? value.split(' ').toSpliced(2, 1).join(' ') : value}`
}
