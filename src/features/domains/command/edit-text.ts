/** A record as a text to edit: every field with what it is for, faults and other people's values right above the line. */
import type { DocumentData, Documents } from '../../../ports/documents.ts'
import { didYouMean } from '../../../kernel/text/nearest.ts'
import { type DomainFields, FIELD_NAMES } from '../../../model/domain/record.ts'
import { FIELD_ARGUMENTS } from './fields.ts'
import { shownValue } from '../../../cli/text/shown-value.ts'

export type Fields = Readonly<Partial<Record<keyof DomainFields, unknown>>>

/** By field; one that belongs to none stands under an empty name. */
export type Remarks = ReadonlyMap<string, readonly string[]>

const HEAD = [
  '# Save and leave the editor to save the domain; leave it as it is to change',
  '# nothing. Saving is not deploying: "plumbline deploy" brings it out.',
  '# Lines with # are explanations; one with # ! says what is wrong below it.',
]

/** Begins a line that is ours and not the person's. */
const FAULT = '# ! '

export function editText(documents: Documents, fields: Fields, remarks: Remarks = new Map()): string {
  const general = (remarks.get('') ?? []).map((text) => FAULT + oneLine(text))
  const lines = FIELD_NAMES.flatMap((name) => {
    const { help, one_of } = FIELD_ARGUMENTS[name]
    const said = (remarks.get(name) ?? []).map((text) => FAULT + oneLine(text))
    const values = one_of === undefined ? [] : [`#   ${one_of.join(', ')}`]
    const value = { [name]: (fields[name] ?? null) as DocumentData }
    return ['', ...said, `# ${help}`, ...values, documents.write(value).trimEnd()]
  })
  return `${[...general, ...HEAD, ...lines].join('\n')}\n`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/**
 * What the person wrote, letter by letter, with the faults in it: those of a field right above its line, all others on top.
 * @param line of the text, counted from 1, at which it cannot be read
 */
export function withRemarks(text: string, remarks: Remarks, line: number | null = null): string {
  const written = text.split('\n')
  const rest = written.filter((one) => !one.startsWith(FAULT))
  const places = new Map<number, string[]>()
  const top: string[] = []
  for (const [name, said] of remarks) {
    const at = name === '' ? -1 : rest.findIndex((one) => isOf(name, one))
    const place = at === -1 ? top : (places.get(at) ?? places.set(at, []).get(at)!)
    place.push(...said.map((one) => FAULT + oneLine(one)))
  }
  if (line !== null) {
    const taken_away = written.slice(0, line).filter((one) => one.startsWith(FAULT)).length
    top[0] = `${FAULT}line ${line - taken_away + top.length}: ${top[0]!.slice(FAULT.length)}`
  }
  return [...top, ...rest.flatMap((one, at) => [...(places.get(at) ?? []), one])].join('\n')
}

const isOf = (name: string, line: string): boolean =>
  line.startsWith(name) && /^\s*:/.test(line.slice(name.length))

export type EditRead =
  | { readonly ok: true; readonly fields: Fields }
  /** `line` counts from 1: where the text cannot be read. */
  | { readonly ok: false; readonly remarks: Remarks; readonly line: number | null }

/** What of the text is no record; its values are judged by the API. */
export function readEdit(documents: Documents, text: string): EditRead {
  const read = documents.read(text)
  if (!read.ok) return { ok: false, remarks: new Map([['', [read.msg]]]), line: read.line }
  const { data } = read
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return unreadable(['This is no list of fields, each as "name: value".'])
  const unknown = Object.keys(data).filter((name) => !FIELD_NAMES.some((field) => field === name))
  if (unknown.length === 0) return { ok: true, fields: fieldsOf(data) }
  return unreadable(
    unknown.map((name) => `"${name}" is no field of a domain.${didYouMean(name, FIELD_NAMES)}`),
  )
}

const unreadable = (told: readonly string[]): EditRead => ({
  ok: false,
  remarks: new Map([['', told]]),
  line: null,
})

/** A whole number in quotes is that number where a number is wanted. */
const fieldsOf = (data: object): Fields =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]: [string, unknown]) => [
      name,
      FIELD_ARGUMENTS[name as keyof Fields].kind === 'number' && typeof value === 'string'
        ? numberOr(value)
        : value,
    ]),
  )

const numberOr = (text: string): unknown => (/^ *[0-9]{1,9} *$/.test(text) ? Number(text) : text)

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
