/** What deSEC's API sends and takes: "Domain Management" and "Retrieving and Creating DNS Records" of its documentation. */
import { z } from 'zod'

export const domain = z.object({
  name: z.string().min(1),
  /** No set of the domain may have a shorter TTL. */
  minimum_ttl: z.int().min(0),
  /** When any of its sets was last written, deleted ones included; null before the first time. */
  touched: z.string().nullish(),
})

export const rrset = z.object({
  domain: z.string().min(1),
  /** Relative to the domain, empty at its apex. */
  subname: z.string(),
  type: z.string().min(1),
  ttl: z.int().min(0),
  records: z.array(z.string()).min(1),
})
export type WireRrset = z.infer<typeof rrset>

/** An empty list of records takes the set away. */
export interface RrsetBody {
  readonly subname: string
  readonly type: string
  readonly ttl?: number
  readonly records: readonly string[]
}

const faults = z.record(z.string(), z.unknown())
/**
 * `{detail}`, or faults by field, or for a bulk request one such object per part, empty where the part is fine. DNS-level
 * faults of a bulk request do not say which part they mean.
 */
export const refusal = z.union([z.array(faults), faults])
export type Refusal = z.infer<typeof refusal>

/** All texts of a refusal with the fields that they stand under. */
export function words(refused: unknown): string {
  if (typeof refused === 'string') return refused
  if (Array.isArray(refused))
    return refused
      .map(words)
      .filter((text) => text !== '')
      .join('; ')
  if (typeof refused !== 'object' || refused === null) return ''
  return Object.entries(refused)
    .map(([field, fault]) => (PLAIN.includes(field) ? words(fault) : `${field}: ${words(fault)}`))
    .join('; ')
}

const PLAIN = ['detail', 'non_field_errors']

/** The parts of a bulk request that are at fault. */
export const partsAtFault = (refused: Refusal | null): number[] =>
  Array.isArray(refused) ? refused.flatMap((part, i) => (Object.keys(part).length === 0 ? [] : [i])) : []
