/**
 * Changing sets in the text of a zone file. Lines of other sets, comments, order and blank lines stay as they are, byte
 * for byte.
 *
 * One thing must be added to foreign lines: what they took from a line that goes. A line that begins with a blank has its
 * owner from the record before, and without a `$TTL` a line may have its TTL from there, too. Where that record is now
 * another one, owner or TTL is put in front of what the line says.
 */
import { rrsetKey } from '../../../../model/network/dns.ts'
import type { CheckedChange } from '../checked-change.ts'
import { relativeName } from '../domain-name.ts'
import { fileWords, valueOf } from '../rdata.ts'
import { commentText } from './comment.ts'
import type { ParsedZone, ZoneRecord } from './parse.ts'
import { setsOf } from './sets.ts'

interface EntryLine {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly data: Buffer
  readonly comment: string | null
}

interface Plan {
  readonly removed: ReadonlySet<ZoneRecord>
  readonly inserted: ReadonlyMap<ZoneRecord, readonly EntryLine[]>
  readonly appended: readonly EntryLine[]
}

/**
 * The new text (Latin-1), or null when the sets stand as they are wanted.
 * @param next_serial gives the SOA's new serial from the present one
 */
export function editZone(
  zone: ParsedZone,
  changes: readonly CheckedChange[],
  next_serial: (present: number) => number,
): string | null {
  const plan = planOf(zone, changes)
  if (plan.removed.size === 0 && plan.inserted.size === 0 && plan.appended.length === 0) return null
  return new Writer(zone, plan, next_serial(zone.soa.serial)).write()
}

function planOf(zone: ParsedZone, changes: readonly CheckedChange[]): Plan {
  const sets = setsOf(zone.records)
  const removed = new Set<ZoneRecord>()
  const inserted = new Map<ZoneRecord, EntryLine[]>()
  const appended: EntryLine[] = []
  for (const change of changes) {
    const standing = sets.get(rrsetKey(change)) ?? []
    const missing = linesOf(change)
    for (const record of standing) {
      const line = missing.get(record.value)
      // A line that says the right thing is not touched; of two that say the same one goes.
      if (line !== undefined && saysTheSame(record, line)) missing.delete(record.value)
      else removed.add(record)
    }
    if (missing.size === 0) continue
    const last = standing.at(-1)
    if (last === undefined) appended.push(...missing.values())
    else inserted.set(last, [...missing.values()])
  }
  return { removed, inserted, appended }
}

/** By value in normal form. */
function linesOf({ name, type, wanted }: CheckedChange): Map<string, EntryLine> {
  if (wanted === null) return new Map()
  const comment = wanted.comment === null ? null : commentText(wanted.comment)
  return new Map(
    wanted.data.map((data) => [valueOf(type, data), { name, type, ttl: wanted.ttl, data, comment }]),
  )
}

const saysTheSame = (record: ZoneRecord, line: EntryLine): boolean =>
  record.ttl === line.ttl && record.comment === line.comment

class Writer {
  readonly #zone: ParsedZone
  readonly #plan: Plan
  readonly #serial: string
  readonly #line_end: string
  readonly #pieces: string[] = []
  /** How far the old text is taken over. */
  #at = 0
  #owner: string | null = null
  #ttl: number | null = null

  constructor(zone: ParsedZone, plan: Plan, serial: number) {
    this.#zone = zone
    this.#plan = plan
    this.#serial = String(serial)
    this.#line_end = /\r?\n/.exec(zone.text)?.[0] ?? '\n'
  }

  write(): string {
    const { records, text } = this.#zone
    for (const record of records) {
      this.#keepUntil(record.entry.start)
      if (this.#plan.removed.has(record)) this.#at = record.entry.end
      else this.#keep(record)
      for (const line of this.#plan.inserted.get(record) ?? []) this.#insert(line, record.origin)
    }
    this.#keepUntil(text.length)
    // Absolute, whatever $ORIGIN came last.
    for (const line of this.#plan.appended) this.#insert(line, '.')
    return this.#pieces.join('')
  }

  #keepUntil(end: number): void {
    this.#add(this.#zone.text.slice(this.#at, end))
    this.#at = end
  }

  #keep(record: ZoneRecord): void {
    const { entry, name, ttl, origin } = record
    if (entry.indented && this.#owner !== name) this.#add(relativeName(name, origin))
    if (record.inherits_ttl && this.#ttl !== ttl) {
      this.#keepUntil(record.type_at)
      this.#add(`${ttl} `)
    }
    if (record.type === 'SOA') {
      const { start, end } = this.#zone.soa
      this.#keepUntil(start)
      this.#add(this.#serial)
      this.#at = end
    }
    this.#keepUntil(entry.end)
    this.#owner = name
    this.#ttl = ttl
  }

  #insert({ name, type, ttl, data, comment }: EntryLine, origin: string): void {
    const last = this.#pieces.at(-1)
    if (last !== undefined && !last.endsWith('\n')) this.#add(this.#line_end)
    const words = [relativeName(name, origin), String(ttl), 'IN', type, fileWords(type, data)].join('\t')
    const note = comment === null ? '' : ` ; ${Buffer.from(comment).toString('latin1')}`
    this.#add(`${words}${note}${this.#line_end}`)
    this.#owner = name
    this.#ttl = ttl
  }

  #add(piece: string): void {
    if (piece !== '') this.#pieces.push(piece)
  }
}
