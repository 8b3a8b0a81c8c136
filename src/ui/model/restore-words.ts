/** What a restore does with records beside the plan of its deploy, and which fields a save would move; other answers have none of it. */
import { fieldName, fieldValue } from './words.ts'

type Named = readonly { readonly domain: string; readonly reason?: string }[]

const MAX_NOTES = 20

export function notesOf(answer: object): readonly string[] {
  const listOf = (name: string): Named => {
    const list = (answer as Readonly<Record<string, unknown>>)[name]
    return Array.isArray(list) ? (list as Named) : []
  }
  return [
    ...savedNotes(answer),
    ...listOf('skipped').map(({ domain, reason = '' }) => `${domain} stays as it is: ${reason}`),
    ...listOf('deactivated').map(({ domain }) => `${domain} is taken out of service: it was not live then.`),
    ...listOf('created').map(({ domain }) => `${domain} is made again: it was deleted since.`),
  ].slice(0, MAX_NOTES)
}

type Row = Readonly<Record<string, unknown>>

/** Of the rehearsal of a save. */
function savedNotes(answer: object): readonly string[] {
  const {
    before = null,
    after = null,
    changed,
  } = answer as {
    readonly before?: Row | null
    readonly after?: Row | null
    readonly changed?: readonly string[]
  }
  if (before === null || after === null || !Array.isArray(changed)) return []
  return changed.map(
    (field) =>
      `Saved: ${fieldName(field)} ${fieldValue(field, before[field])} becomes ${fieldValue(field, after[field])}.`,
  )
}
