/** What the server answers for one name, as far as a wildcard does not make it up. */
import { randomBytes } from 'node:crypto'
import type { ListedRrset } from '../../../../model/network/dns.ts'
import { Failure } from '../../../../kernel/failure.ts'
import { valueOfData } from '../rdata.ts'
import { RecordFault } from '../record-fault.ts'
import { typeCode } from '../record-types.ts'
import { unusable } from '../json-api.ts'
import { CLASS, type Message, TYPE } from './message.ts'
import { askOnce, malformed, question, type Talk, whereabouts } from './talk.ts'

export interface Sought {
  readonly zone: string
  readonly name: string
  readonly types: readonly string[]
}

/** Throws a Failure where the server gives no answer that can be believed. */
export async function standingAt(talk: Talk, sought: Sought, signal: AbortSignal): Promise<ListedRrset[]> {
  const { zone, name, types } = sought
  const found = new Map<string, ListedRrset>()
  for (const type of types)
    for (const set of await setsAt(talk, { zone, name, type }, signal)) found.set(set.type, set)
  if (found.size === 0 || name.startsWith('*.') || name === zone) return [...found.values()]
  const sibling = `${randomBytes(8).toString('hex')}.${name.slice(name.indexOf('.') + 1)}`
  const made_up: ListedRrset[] = []
  for (const type of types) made_up.push(...(await setsAt(talk, { zone, name: sibling, type }, signal)))
  const isMadeUp = (set: ListedRrset) =>
    made_up.some(({ type, values }) => type === set.type && values.join() === set.values.join())
  return [...found.values()].filter((set) => !isMadeUp(set))
}

interface SetQuestion {
  readonly zone: string
  readonly name: string
  readonly type: string
}

/** The set of this type, and the alias that stands in its place. */
async function setsAt(
  talk: Talk,
  { zone, name, type }: SetQuestion,
  signal: AbortSignal,
): Promise<ListedRrset[]> {
  try {
    const asked = question(zone, 'query', name, typeCode(type)!)
    const message = await askOnce(talk, asked, signal)
    if (!message.authoritative)
      throw unusable('rfc2136', `ask for ${name}`, `${whereabouts(talk, zone)} is not in charge of it`)
    return [type, 'CNAME'].flatMap((one) => setIn(message, name, one) ?? [])
  } catch (error) {
    if (isProvedAbsent(error)) return []
    throw error instanceof RecordFault ? malformed(talk, zone, error) : error
  }
}

/** Null where the answer has none of this type. */
function setIn({ answers, bytes }: Message, name: string, type: string): ListedRrset | null {
  const code = type === 'CNAME' ? TYPE.CNAME : typeCode(type)
  const records = answers.filter(
    (record) => record.name === name && record.type === code && record.class === CLASS.IN,
  )
  const [first] = records
  if (first === undefined) return null
  const values = records.map(({ data_at, data_end }) =>
    valueOfData(type, { message: bytes, at: data_at, end: data_end }),
  )
  const set = { name, type, ttl: first.ttl, values: [...new Set(values)].sort() }
  return { ...set, ids: [], comment: null, proxied: null }
}

/** Signed by the server: nobody on the way made it up. */
const isProvedAbsent = (error: unknown): boolean =>
  error instanceof Failure &&
  error.details.facts?.['rcode'] === 'NXDOMAIN' &&
  error.details.facts['proved'] === true
