/**
 * From checked changes to update messages (RFC 2136 §2.5): each set is deleted and then added as it is wanted, so a
 * message can be repeated and its outcome does not depend on what stood there.
 *
 * One thing is not told by a server: where a CNAME stands, other records are left out in silence, and a CNAME where
 * others stand (§3.4.2.2). Prerequisites turn that into an error which applies nothing.
 */
import { Failure } from '../../../../kernel/failure.ts'
import { rrsetItem } from '../../../../model/network/dns.ts'
import type { CheckedChange } from '../checked-change.ts'
import { CLASS, MAX_MESSAGE, HEADER_BYTES, TYPE, writeQuestion, writeRecord } from './message.ts'
import { MAX_TSIG_BYTES } from './tsig.ts'

/** A change with whether anything stood there when it was listed. */
export interface Update extends CheckedChange {
  readonly is_new: boolean
}

/** Sections of a message without its header and signature. */
export type UpdateSections = readonly [
  zone: Buffer[],
  prerequisites: Buffer[],
  updates: Buffer[],
  additional: Buffer[],
]

const NOTHING = Buffer.alloc(0)

/** All deletions come first: an alias goes before an address of its name comes. */
export function updateSections(zone: string, updates: readonly Update[]): UpdateSections {
  const deletions = updates.map(({ name, code }) =>
    writeRecord({ name, type: code, class: CLASS.ANY, ttl: 0, data: NOTHING }),
  )
  const additions = updates.flatMap(({ name, code, wanted }) =>
    (wanted?.data ?? []).map((data) =>
      writeRecord({ name, type: code, class: CLASS.IN, ttl: wanted!.ttl, data }),
    ),
  )
  return [[writeQuestion(zone, TYPE.SOA)], prerequisites(updates), [...deletions, ...additions], []]
}

function prerequisites(updates: readonly Update[]): Buffer[] {
  const none = (name: string, type: number) =>
    writeRecord({ name, type, class: CLASS.NONE, ttl: 0, data: NOTHING })
  const named = Map.groupBy(updates, ({ name }) => name)
  return [...named].flatMap(([name, sets]) => {
    const added = sets.filter(({ wanted }) => wanted !== null)
    if (added.length === 0) return []
    if (isFreshAlias(sets)) return [none(name, TYPE.ANY)]
    return sets.some(({ code }) => code === TYPE.CNAME) ? [] : [none(name, TYPE.CNAME)]
  })
}

/** An alias that must find its name empty: nothing of the name goes in the same message. */
const isFreshAlias = (sets: readonly Update[]): boolean =>
  sets.length === 1 && sets[0]!.code === TYPE.CNAME && sets[0]!.is_new

/** Aliases of which no prerequisite can say whether the server will take them: they are asked for afterwards. */
export const isToBeChecked = (update: Update, all: readonly Update[]): boolean =>
  update.code === TYPE.CNAME &&
  update.wanted !== null &&
  !isFreshAlias(all.filter(({ name }) => name === update.name))

/**
 * Divides a batch into as few messages as hold it, in order; the sets of one name stay together. Throws
 * `provider_refused` for a name whose sets fit into no message.
 */
export function packUpdates(zone: string, updates: readonly Update[]): Update[][] {
  const capacity = MAX_MESSAGE - HEADER_BYTES - writeQuestion(zone, TYPE.SOA).length - MAX_TSIG_BYTES
  const packs: Update[][] = []
  let left = 0
  for (const group of Map.groupBy(updates, ({ name }) => name).values()) {
    const [, before, changes] = updateSections(zone, group)
    const size = [...before, ...changes].reduce((sum, record) => sum + record.length, 0)
    if (size > capacity) throw tooLarge(zone, group[0]!)
    if (size > left) {
      packs.push([])
      left = capacity
    }
    packs.at(-1)!.push(...group)
    left -= size
  }
  return packs
}

const tooLarge = (zone: string, update: Update): Failure =>
  new Failure(
    'provider_refused',
    `rfc2136: ${rrsetItem(update)} in ${zone} does not fit into one message of ${MAX_MESSAGE} octets. Nothing was changed.`,
  )
