/** What a caller prefers (`Prefer`, RFC 7240), in any of its lines and beside any others. */
import type { Milliseconds } from '../kernel/clock.ts'
import { headerValues, type RequestFacts } from './request-facts.ts'

const QUOTED = /"(?:[^"\\]|\\.)*"/g
const NUMBER = /^"(\d+)"$/

/** Without their parameters. What is quoted may hold commas, and nothing that is asked for here but a number. */
function preferences(facts: RequestFacts): readonly string[] {
  const text = headerValues(facts, 'prefer')
    .join(',')
    .replaceAll(QUOTED, (quoted) => NUMBER.exec(quoted)?.[1] ?? '""')
  return text.split(',').map((preference) => preference.split(';', 1)[0]!.trim().toLowerCase())
}

export const prefers = (facts: RequestFacts, name: string): boolean => preferences(facts).includes(name)

/** How long the caller would wait for an answer (§4.3: the first one counts); null where it does not say. */
export function preferredWait(facts: RequestFacts): Milliseconds | null {
  for (const preference of preferences(facts)) {
    const seconds = /^wait\s*=\s*(\d{1,9})$/.exec(preference)?.[1]
    if (seconds !== undefined) return Number(seconds) * 1000
  }
  return null
}
