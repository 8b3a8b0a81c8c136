/**
 * Reads what a hand made of one record's routes back into fields of the record, or says why that cannot be. What is read is
 * rendered again: only where that gives exactly what stands there, every word of it, has the record said it. So nothing is
 * ever half read, and what no record can say (a second server, another rule) is named.
 */
import { canonicalJson } from '../../../kernel/digest.ts'
import { visible } from '../../../kernel/text/visible.ts'
import { movedFields } from '../../../model/domain/field-changes.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { IntentRow } from '../../../model/intent.ts'
import { MAX_IMPORT_BYTES, type ReadAside } from '../../../ports/documents.ts'
import { type FileLook, lookStamp } from '../../../ports/files.ts'
import { generatedEntry } from '../proxy/generated.ts'
import { scanBlocks } from '../read/blocks.ts'
import { domainOfItem, nameOfItem } from '../render/objects.ts'
import type { RoutesSettings } from '../render/settings.ts'
import { readLook } from '../target/obstacle.ts'
import { fieldsThere, mapIn } from './said-there.ts'

export type Theirs =
  /** Those that stand there otherwise than they were released. */
  | { readonly ok: true; readonly fields: Partial<DomainFields> }
  /** Sentences, without a full stop. */
  | { readonly ok: false; readonly reasons: readonly string[] }

export interface TheirsParts {
  readonly settings: RoutesSettings
  readonly read: ReadAside
}

export interface TheirFile {
  /** As it is released and live. */
  readonly row: IntentRow
  readonly look: FileLook
  /** The stamp of the look that was judged: whether it lets in more, and what differs. */
  readonly seen: string
}

const no = (...reasons: readonly string[]): Theirs => ({ ok: false, reasons })

export async function readTheirs(
  { settings, read }: TheirsParts,
  { row, look, seen }: TheirFile,
  signal: AbortSignal,
): Promise<Theirs> {
  if (lookStamp(look) !== seen) return no('the file was written while it was looked at; try again')
  const { obstacle, text } = readLook(look, true)
  if (obstacle !== null || text === null) return no(`${obstacle ?? 'there is no text'}`)
  if (text.includes('{{')) return no('the file holds a template, which only the proxy can read')
  const stray = strayIn(text)
  if (stray !== null) return no(`${stray} of the file is in no form that can be placed`)
  const objectsOf = objectsReader(read, row.fields.domain, signal)
  const there = await objectsOf(text)
  if (there === null) return no('what stands there is no YAML that can be read')
  if (there.size === 0)
    return no('nothing of it stands there; deactivate the domain, if that is what is meant')
  const fields = fieldsThere((section, name) => there.get(`${section}.${name}`), row.fields)
  const rendered = await objectsOf(generatedEntry({ ...row, fields }, settings).yaml)
  const beyond = rendered === null ? ['what it would be is not known'] : unlike(rendered, there)
  if (beyond.length > 0) return no(...beyond)
  const moved = movedFields(row.fields, fields)
  if (moved.length === 0) return no('nothing that a record says differs there')
  return { ok: true, fields: Object.fromEntries(moved.map((name) => [name, fields[name]])) }
}

/** The first line of what belongs nowhere: it may change what the rest means. Comments do not. */
function strayIn(text: string): string | null {
  for (const [item, block] of scanBlocks(text)) if (!block.placed && !COMMENTS.test(block.text)) return item
  return null
}

const COMMENTS = /^(?: *(?:#[^\n]*)?(?:\n|$))*$/

type Objects = ReadonlyMap<string, unknown>

/** A record has a few objects, so a text that is longer is somebody's joke. */
const MAX_CHARACTERS = MAX_IMPORT_BYTES / 16

/** The objects of a domain in a text by item; null where they cannot be read. Every scalar is text, as the proxy takes it. */
const objectsReader =
  (read: ReadAside, domain: string, signal: AbortSignal) =>
  async (text: string): Promise<Objects | null> => {
    const objects = new Map<string, unknown>()
    for (const [item, block] of scanBlocks(text)) {
      if (!block.placed || domainOfItem(item) !== domain) continue
      if (block.text.length > MAX_CHARACTERS) return null
      const one = await read(block.text, { scalars: 'text', reader: 'go' }, signal)
      if (!one.ok) return null
      objects.set(item, mapIn(one.data)[nameOfItem(item)] ?? null)
    }
    return objects
  }

/** What stands there and would not be so: sentences. */
function unlike(rendered: Objects, there: Objects): readonly string[] {
  return [...new Set([...rendered.keys(), ...there.keys()])].flatMap((item) => {
    const [ours, theirs] = [rendered.get(item), there.get(item)]
    if (theirs === undefined) return [`${item} is gone, and a record of its kind has it`]
    if (ours === undefined) return [`${item} stands there, and a record makes none such`]
    const keys = differing(ours, theirs)
    return keys.length === 0
      ? []
      : [`${item}: a record cannot say its ${keys.map((key) => visible(key || 'value')).join(', ')}`]
  })
}

/**
 * Where two values differ, as far down as both are maps: `loadBalancer.servers`; empty for the values themselves. A key without
 * a value is another thing than no key.
 */
function differing(ours: unknown, theirs: unknown): readonly string[] {
  if (canonicalJson(ours) === canonicalJson(theirs)) return []
  const [a, b] = [mapIn(ours), mapIn(theirs)]
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  if (keys.length === 0) return ['']
  return keys.flatMap((key) => {
    if (!Object.hasOwn(a, key) || !Object.hasOwn(b, key)) return key
    return differing(a[key], b[key]).map((below) => (below === '' ? key : `${key}.${below}`))
  })
}
