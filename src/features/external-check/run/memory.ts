/**
 * What one run leaves to the next: where the hub was last, and the outages that people have not been mailed of. Nothing
 * follows from a difference of times, so that a clock that is set changes nothing. Pure.
 */
import { z } from 'zod'
import type { Instant } from '../../../kernel/clock.ts'

export interface Outage {
  readonly since: Instant
  /** Null while it lasts. */
  readonly until: Instant | null
  /** Its beginning was mailed. */
  readonly loss_mailed: boolean
}

export interface Memory {
  readonly version: 1
  /** Whose memory it is. */
  readonly hub: string
  /** Of each name, as it resolved last. */
  readonly addresses: Readonly<Record<string, readonly string[]>>
  /** When the hub was last found to answer. */
  readonly reachable_at: Instant | null
  /** The oldest first; those that are over are here until they were mailed. */
  readonly outages: readonly Outage[]
  /** The mail of which nobody knows whether it went out: it is sent once more under its id. */
  readonly uncertain_mail: string | null
}

export const newMemory = (hub: string): Memory => ({
  version: 1,
  hub,
  addresses: {},
  reachable_at: null,
  outages: [],
  uncertain_mail: null,
})

/** Of a hub that has another name from now on: an outage goes on, so that its end is mailed. */
export const ofOtherHub = ({ reachable_at, outages, uncertain_mail }: Memory, hub: string): Memory => ({
  ...newMemory(hub),
  reachable_at,
  outages,
  uncertain_mail,
})

const instant = z.number().min(-8.64e15).max(8.64e15)

const Kept = z.object({
  version: z.literal(1),
  hub: z.string(),
  addresses: z.record(z.string(), z.array(z.union([z.ipv4(), z.ipv6()])).max(16)),
  reachable_at: instant.nullable(),
  outages: z
    .array(z.object({ since: instant, until: instant.nullable(), loss_mailed: z.boolean() }))
    .max(1000),
  uncertain_mail: z.string().nullable(),
})

/** Null for what is no memory. */
export function parseMemory(text: string): Memory | null {
  try {
    const read = Kept.safeParse(JSON.parse(text))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

const LastResult = z.object({
  checks: z.object({ connectivity: z.enum(['up', 'down']) }),
  timestamp: z.iso.datetime(),
})

/**
 * Where the memory is lost, the last result still tells of an outage that lasts. Whether its beginning was mailed is not known, so it
 * is mailed once more.
 */
export function memoryFromResult(hub: string, text: string | null, at: Instant): Memory {
  const memory = newMemory(hub)
  try {
    const read = LastResult.safeParse(JSON.parse(text ?? ''))
    if (!read.success || read.data.checks.connectivity === 'up') return memory
    const { timestamp } = read.data
    const since = Math.min(at, Date.parse(timestamp))
    return { ...memory, outages: [{ since, until: null, loss_mailed: false }] }
  } catch {
    return memory
  }
}

const MAX_OUTAGES = 50

/** What was found, kept. */
export function withFound(memory: Memory, is_reachable: boolean, at: Instant): Memory {
  const { outages } = memory
  const lasts = outages.some(({ until }) => until === null)
  if (is_reachable) {
    const closed = outages.map((one) =>
      one.until === null ? { ...one, until: Math.max(one.since, at) } : one,
    )
    return { ...memory, reachable_at: at, outages: closed }
  }
  if (lasts) return memory
  const more = [...outages, { since: at, until: null, loss_mailed: false }]
  return { ...memory, outages: more.slice(-MAX_OUTAGES) }
}

/** The outages that a mail is due for. */
export const unmailed = ({ outages }: Pick<Memory, 'outages'>): readonly Outage[] =>
  outages.filter(({ until, loss_mailed }) => until !== null || !loss_mailed)

/** The mail about them went out. */
export const withMailed = (memory: Memory): Memory => ({
  ...memory,
  uncertain_mail: null,
  outages: memory.outages.flatMap((one) => (one.until === null ? [{ ...one, loss_mailed: true }] : [])),
})
