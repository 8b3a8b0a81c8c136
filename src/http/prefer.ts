/** What a caller prefers (`Prefer`, RFC 7240), in any of its lines and beside any others. */
import type { Milliseconds } from '../kernel/clock.ts'
import { headerValues, type RequestFacts } from './access/request-facts.ts'

const NUMBER = /^"(\d+)"$/

/**
 * Without their parameters. What is quoted may hold commas, and nothing that is asked for here but a number. Each
 * character is looked at once: a quote that is never closed is a character like any other.
 */
function preferences(facts: RequestFacts): readonly string[] {
  const text = headerValues(facts, 'prefer').join(',')
  const parts: string[] = []
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at)
    const end = quote < 0 ? -1 : endOfQuoted(text, quote)
    if (end < 0) {
      parts.push(text.slice(at))
      break
    }
    const quoted = text.slice(quote, end)
    parts.push(text.slice(at, quote), NUMBER.exec(quoted)?.[1] ?? '""')
    at = end
  }
  return parts
    .join('')
    .split(',')
    .map((preference) => preference.split(';', 1)[0]!.trim().toLowerCase())
}

/** Behind its last quote; -1 where there is none, and then there is none for any later start either. */
function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return -1
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
