/** Times within the sentences of an answer, in the one form in which the command shows any. */
import { shortTime } from './terminal.ts'

/** What the API says in sentences. What people wrote, such as a note, goes back as it came. */
const SENTENCES: ReadonlySet<string> = new Set([
  'message',
  'detail',
  'summary',
  'hint',
  'remedy',
  'warnings',
  'why',
  'because',
])
const TIME = /\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]+Z/g

export function withShortTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withShortTimes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SENTENCES.has(name) ? shortenedIn(member) : withShortTimes(member),
    ]),
  )
}

function shortenedIn(member: unknown): unknown {
  if (typeof member === 'string') return member.replace(TIME, shortTime)
  if (Array.isArray(member)) return member.map(shortenedIn)
  return withShortTimes(member)
}
