/** `GET /api/domains/lamps` as rows of letters, and one domain in words. By what is known, with its age. */
import { actGround } from '../../engine/act-ground.ts'
import { sha256 } from '../../kernel/digest.ts'
import { Failure } from '../../kernel/failure.ts'
import { type Instant, isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import type { Deps } from './deps.ts'
import type { LampText } from './hints.ts'
import { whatIsKnown } from './known.ts'
import type { LampRecords } from './records.ts'
import { type Lamps, lampsOf } from './lamps-of.ts'
import type { Lamp, LampPart } from './part.ts'
import { LAMPS, type LampName, LETTERS } from './states.ts'
import { actsOnLamp } from './with-acts.ts'

/** id, revision, a letter for each lamp, whether it waits for a deploy, causes of what is not well, and the oldest look. */
export type LampRow = readonly [
  id: number,
  revision: number,
  letters: string,
  pending: boolean,
  causes: Readonly<Partial<Record<LampName, string>>>,
  seen_at: string | null,
]

export interface LampTable {
  /** RFC 3339. */
  readonly at: string
  /** Number of the newest event that is in it. */
  readonly event: number
  readonly order: typeof LAMPS
  readonly rows: readonly LampRow[]
}

export interface LampDeps extends Deps {
  readonly lamp_records: LampRecords
}

/** With the tag of its rows, and as it is sent: ten thousand rows are written down once. */
export async function readLamps(deps: LampDeps) {
  const event = await deps.events.newest()
  const { at, rows } = await lampRows(deps)
  const text = JSON.stringify(rows)
  const head = { at: isoTime(at), event, order: LAMPS }
  const table: LampTable = { ...head, rows }
  const json = Buffer.from(`${JSON.stringify(head).slice(0, -1)},"rows":${text}}`)
  return { table, json, etag: `"${sha256([Buffer.from(text)]).slice(0, 32)}"` }
}

/** By id, what a row says but for its age. */
export async function lampTexts(deps: LampDeps): Promise<ReadonlyMap<number, LampText>> {
  const { rows } = await lampRows(deps)
  return new Map(
    rows.map(([id, revision, letters, pending, causes]) => {
      const of = (lamp: LampName) => `${letters[LAMPS.indexOf(lamp)]} ${causes[lamp] ?? ''}`
      const row = `${revision} ${letters} ${pending} ${JSON.stringify(causes)}`
      return [id, { row, dns: of('dns'), certificate: of('certificate') }]
    }),
  )
}

/** Ids of those that have this cause at one of their lamps; also of what waits for a deploy. */
export async function idsWithCause(deps: LampDeps, cause: string): Promise<readonly number[]> {
  const known = await whatIsKnown(deps, deps.lamp_records)
  return known.records.flatMap((record) => {
    const lamps = lampsOf(known, record)
    return LAMPS.some((name) => lamps[name].cause === cause) ? [record.domain_id] : []
  })
}

/** How many domains are not known in this. */
export async function unknownLamps(deps: LampDeps, lamp: LampName): Promise<number> {
  const known = await whatIsKnown(deps, deps.lamp_records)
  return known.records.filter((record) => lampsOf(known, record)[lamp].state === 'unknown').length
}

async function lampRows(
  deps: LampDeps,
): Promise<{ readonly at: Instant; readonly rows: readonly LampRow[] }> {
  const known = await whatIsKnown(deps, deps.lamp_records)
  const time = times()
  const rows = known.records.map((record): LampRow => {
    const lamps = lampsOf(known, record)
    const { domain_id, revision, pending } = record
    return [domain_id, revision, lettersOf(lamps), pending, causesOf(lamps), time(seenAt(lamps))]
  })
  return { at: known.now, rows }
}

const lettersOf = (lamps: Lamps): string => LAMPS.map((name) => LETTERS[lamps[name].state]).join('')

/** That something waits says its letter. */
function causesOf(lamps: Lamps): LampRow[4] {
  const causes: Partial<Record<LampName, string>> = {}
  for (const name of LAMPS) {
    const { state, cause } = lamps[name]
    if (cause !== null && state !== 'pending') causes[name] = cause
  }
  return causes
}

/** Null where one was never seen. */
function seenAt(lamps: Lamps): Instant | null {
  let least: Instant | null = null
  for (const name of LAMPS) {
    const { state, seen_at } = lamps[name]
    if (state === 'not_used') continue
    if (seen_at === null) return null
    least = Math.min(least ?? seen_at, seen_at)
  }
  return least
}

/** Ten thousand rows share a few times. */
function times(): (at: Instant | null) => string | null {
  const known = new Map<Instant, string>()
  return (at) => {
    if (at === null) return null
    const text = known.get(at) ?? isoTime(at)
    known.set(at, text)
    return text
  }
}

/** Throws `not_found`. */
export async function readDomainLamps(deps: LampDeps, domain_id: number) {
  const known = await whatIsKnown(deps, deps.lamp_records)
  const record = known.records.find((one) => one.domain_id === domain_id)
  if (record === undefined) throw new Failure('not_found', `There is no domain ${domain_id}.`)
  const { domain, revision, pending } = record
  const lamps = lampsOf(known, record)
  const about = { ground: await actGround(deps), keys: known.dns.keys }
  return {
    domain_id,
    domain,
    revision,
    pending,
    at: isoTime(known.now),
    lamps: LAMPS.map((name) => ({
      lamp: name,
      ...inWords(lamps[name]),
      acts: actsOnLamp(lamps[name], record, about),
    })),
  }
}

const inWords = ({ parts, ...lamp }: Lamp) => ({
  letter: LETTERS[lamp.state],
  ...timed(lamp),
  parts: parts.map(({ source, ...part }) => ({ source, ...timed(part) })),
})

const timed = ({ state, cause, message, seen_at }: Omit<LampPart, 'source'>) => ({
  state,
  cause,
  message,
  seen_at: isoTimeOrNull(seen_at),
})
