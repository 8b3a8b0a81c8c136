/** A record as a text to edit: every field with what it is for, faults and other people's values right above the line. */
import type { DocumentData, Documents } from '../../../ports/documents.ts'
import { didYouMean } from '../../../kernel/text/nearest.ts'
import { type DomainFields, FIELD_NAMES } from '../../../model/domain/record.ts'
import { FIELD_ARGUMENTS } from './fields.ts'
import { shownValue } from './record.ts'

export type Fields = Readonly<Partial<Record<keyof DomainFields, unknown>>>

/** By field; one that belongs to none stands under an empty name. */
export type Remarks = ReadonlyMap<string, readonly string[]>

const HEAD = [
  '# Save and leave the editor to save the domain; leave it as it is to change nothing.',
  '# Saving is not deploying: "plumbline deploy" brings it out. Lines with # are explanations.',
]

export function editText(documents: Documents, fields: Fields, remarks: Remarks = new Map()): string {
  const general = (remarks.get('') ?? []).map((text) => `# ! ${oneLine(text)}`)
  const lines = FIELD_NAMES.flatMap((name) => {
    const { help, one_of } = FIELD_ARGUMENTS[name]
    const said = (remarks.get(name) ?? []).map((text) => `# ! ${oneLine(text)}`)
    const values = one_of === undefined ? [] : [`#   ${one_of.join(', ')}`]
    const value = { [name]: (fields[name] ?? null) as DocumentData }
    return ['', ...said, `# ${help}`, ...values, documents.write(value).trimEnd()]
  })
  return `${[...general, ...HEAD, ...lines].join('\n')}\n`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

export type EditRead =
  | { readonly ok: true; readonly fields: Fields }
  | { readonly ok: false; readonly remarks: Remarks }

/** What of the text is no record; its values are judged by the API. */
export function readEdit(documents: Documents, text: string): EditRead {
  const read = documents.read(text)
  if (!read.ok) {
    const line = read.line === null ? '' : `line ${read.line}: `
    return { ok: false, remarks: new Map([['', [`${line}${read.msg}`]]]) }
  }
  const { data } = read
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return { ok: false, remarks: new Map([['', ['This is no list of fields, each as "name: value".']]]) }
  const unknown = Object.keys(data).filter((name) => !FIELD_NAMES.some((field) => field === name))
  if (unknown.length === 0) return { ok: true, fields: Object.fromEntries(Object.entries(data)) }
  const told = unknown.map((name) => `"${name}" is no field of a domain.${didYouMean(name, FIELD_NAMES)}`)
  return { ok: false, remarks: new Map([['', told]]) }
}

/** The fields that the text says otherwise than the record. A field that is left out stays as it is. */
export const changesIn = (edited: Fields, before: Fields): Fields =>
  Object.fromEntries(
    FIELD_NAMES.filter((name) => name in edited && !isSame(edited[name], before[name])).map((name) => [
      name,
      edited[name],
    ]),
  )

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, ordered(member)]),
  )
}

/** What somebody else saved meanwhile, beside what is being saved. */
export function theirs(before: Fields, now: Fields): Remarks {
  const moved = FIELD_NAMES.filter((name) => !isSame(before[name], now[name]))
  return new Map<string, readonly string[]>([
    [
      '',
      ['Somebody else has saved this domain meanwhile. What you wrote is below; saving it again takes it.'],
    ],
    ...moved.map(
      (name) =>
        [name, [`was ${shownValue(before[name])}, somebody else saved ${shownValue(now[name])}`]] as const,
    ),
  ])
}
