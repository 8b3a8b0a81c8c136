/** Times to live: their spelling in master files and their range. */
import type { DnsTraits } from './port.ts'

/** RFC 2181 §8: 31 bits. */
export const LARGEST_TTL = 2_147_483_647
/** Where the wanted set leaves the TTL to the provider and the provider has no opinion either. */
export const USUAL_TTL = 3600

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Seconds, or the form with units that every server reads (`1h30m`, `2D`); null for anything else. */
export function parseTtl(text: string): number | null {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  if (text.length > 40 || !/^(?:\d{1,10}[smhdw])+$/i.test(text)) return null
  let seconds = 0
  for (const [, count, unit] of text.matchAll(/(\d+)([smhdw])/gi))
    seconds += Number(count) * SECONDS[unit!.toLowerCase()]!
  return seconds
}

/** The nearest one that the provider takes. */
export const clampedTtl = (ttl: number, { least, most }: DnsTraits['ttl']): number =>
  Math.min(Math.max(ttl, least), most)
