/** From a master file to its records, each with the lines it stands on and with what it leaves to the lines before it. */
import { didYouMean } from '../../../../kernel/text/nearest.ts'
import { isBelow, normalName } from '../domain-name.ts'
import { dataFromWords, hasGrammar, valueOf } from '../rdata.ts'
import { RecordFault, shown } from '../record-fault.ts'
import { KNOWN_TYPES, typeCode, typeName } from '../record-types.ts'
import { LARGEST_TTL, parseTtl } from '../ttl.ts'
import { type Entry, type PlacedToken, scan } from './scan.ts'
import { ZoneFault } from './zone-fault.ts'

export interface ZoneRecord {
  readonly entry: Entry
  readonly name: string
  readonly type: string
  readonly ttl: number
  /** Normal form of the model. */
  readonly value: string
  /** What stands behind the semicolon of its last line, trimmed; null for nothing. */
  readonly comment: string | null
  /** The origin in effect here. */
  readonly origin: string
  /** Its TTL is that of the record before, for want of any other. */
  readonly inherits_ttl: boolean
  /** Offset of the word that says its type. */
  readonly type_at: number
}

export interface ParsedZone {
  readonly zone: string
  /** Latin-1. */
  readonly text: string
  readonly records: readonly ZoneRecord[]
  readonly soa: { readonly serial: number; readonly start: number; readonly end: number }
  /** The `$TTL` in effect at the end; null without one. */
  readonly default_ttl: number | null
}

/** What later lines rely on. */
interface Context {
  readonly zone: string
  origin: string
  owner: string | null
  default_ttl: number | null
  last_ttl: number | null
}

/** @param text Latin-1. Throws ZoneFault, with the line, at the first thing that makes the file unfit to be loaded. */
export function parseZone(zone: string, text: string): ParsedZone {
  const context: Context = { zone, origin: zone, owner: null, default_ttl: null, last_ttl: null }
  const records: ZoneRecord[] = []
  for (const entry of scan(text)) {
    try {
      const first = entry.tokens[0]!
      if (!entry.indented && !first.quoted && first.text.startsWith('$')) directive(entry, context)
      else records.push(record(entry, context))
    } catch (error) {
      throw error instanceof RecordFault ? new ZoneFault(entry.line, error.message) : error
    }
  }
  return { zone, text, records, soa: startOfAuthority(zone, records), default_ttl: context.default_ttl }
}

function directive({ tokens }: Entry, context: Context): void {
  const [word, argument, ...more] = tokens.map((token) => token.text)
  const value = argument ?? ''
  switch (word!.toUpperCase()) {
    case '$ORIGIN':
      if (value === '' || more.length > 0) throw new RecordFault('has an $ORIGIN without exactly one name')
      context.origin = normalName(value, context.origin)
      return
    case '$TTL':
      if (more.length > 0) throw new RecordFault('has a $TTL with more than one value')
      context.default_ttl = ttlOf(value)
      return
    case '$INCLUDE':
      throw new RecordFault('includes another file ($INCLUDE); put the records into this one')
    case '$GENERATE':
      throw new RecordFault('generates records ($GENERATE), which only some servers read; write them out')
    default:
      throw new RecordFault(`has an unknown directive: ${shown(word!)}`)
  }
}

function ttlOf(text: string): number {
  const ttl = parseTtl(text)
  if (ttl === null || ttl > LARGEST_TTL) throw new RecordFault(`has a TTL that is none: ${shown(text)}`)
  return ttl
}

function record(entry: Entry, context: Context): ZoneRecord {
  const words = [...entry.tokens]
  const name = ownerOf(entry, words, context)
  const stated_ttl = ttlAndClass(words)
  const type_word = words.shift()
  const type = typeOf(type_word)
  const value = valueIn(type, words, context.origin)
  return {
    entry,
    name,
    type,
    ...ttlInEffect(stated_ttl, { type, value }, context),
    value,
    comment: commentOf(entry),
    origin: context.origin,
    type_at: type_word!.start,
  }
}

/** Takes the name off the words, where the entry begins with one. */
function ownerOf(entry: Entry, words: PlacedToken[], context: Context): string {
  if (!entry.indented) {
    refuseInnerQuotes(words.slice(0, 1))
    context.owner = normalName(words.shift()!.text, context.origin)
  }
  if (context.owner === null)
    throw new RecordFault('begins with a blank and has no record before it to take the name from')
  if (!isBelow(context.owner, context.zone))
    throw new RecordFault(`has ${shown(context.owner)}, which is outside the zone ${context.zone}`)
  return context.owner
}

/** Its own, or that of the lines before it; later lines rely on it. */
function ttlInEffect(
  stated_ttl: number | null,
  { type, value }: Pick<ZoneRecord, 'type' | 'value'>,
  context: Context,
): Pick<ZoneRecord, 'ttl' | 'inherits_ttl'> {
  const inherits_ttl = stated_ttl === null && context.default_ttl === null && context.last_ttl !== null
  const ttl = stated_ttl ?? context.default_ttl ?? context.last_ttl ?? ttlOfAuthority(type, value)
  // RFC 1035 §5.2, as BIND reads it: without any TTL the minimum of the SOA holds for all that follows.
  if (stated_ttl === null && context.default_ttl === null && !inherits_ttl) context.default_ttl = ttl
  context.last_ttl = ttl
  return { ttl, inherits_ttl }
}

/** Takes TTL and class, in either order and each at most once, off the words. */
function ttlAndClass(words: PlacedToken[]): number | null {
  let ttl: number | null = null
  let has_class = false
  for (;;) {
    const text = words[0]?.quoted === false ? words[0].text : ''
    if (ttl === null && /^\d/.test(text)) ttl = ttlOf(text)
    else if (!has_class && /^(?:IN|CH|HS|CS|CLASS\d+)$/i.test(text)) {
      if (!/^(?:IN|CLASS1)$/i.test(text)) throw new RecordFault(`is of class ${text}; only IN is served`)
      has_class = true
    } else return ttl
    words.shift()
  }
}

function typeOf(word: PlacedToken | undefined): string {
  if (word === undefined) throw new RecordFault('has no type')
  const code = word.quoted ? null : typeCode(word.text)
  if (code === null)
    throw new RecordFault(`has an unknown type: ${shown(word.text)}.${didYouMean(word.text, KNOWN_TYPES)}`)
  return typeName(code)
}

/** Types without a grammar here (keys, signatures, service bindings) are kept as their words. */
function valueIn(type: string, words: readonly PlacedToken[], origin: string): string {
  if (words.length === 0) throw new RecordFault(`has no data for its type ${type}`)
  if (hasGrammar(type) || words[0]!.text === '\\#') {
    refuseInnerQuotes(words)
    const data = dataFromWords(type, words, origin)
    return valueOf(type, data)
  }
  const text = words.map((word) => (word.quoted ? `"${word.text}"` : word.text)).join(' ')
  return Buffer.from(text, 'latin1').toString('utf8')
}

/** `a"b c"` is one word to some servers and two to others. */
function refuseInnerQuotes(words: readonly PlacedToken[]): void {
  const mixed = words.find(
    ({ text, quoted }) => !quoted && text.includes('"') && /(?<!\\)(?:\\\\)*"/.test(text),
  )
  if (mixed !== undefined) throw new RecordFault(`has a quote inside a word: ${shown(mixed.text)}`)
}

function ttlOfAuthority(type: string, value: string): number {
  if (type !== 'SOA') throw new RecordFault('has no TTL, and neither $TTL nor a record before it gives one')
  return Math.min(Number(value.split(' ').at(-1)), LARGEST_TTL)
}

function commentOf({ comment }: Entry): string | null {
  const text = comment === null ? '' : Buffer.from(comment, 'latin1').toString('utf8').trim()
  return text === '' ? null : text
}

function startOfAuthority(zone: string, records: readonly ZoneRecord[]): ParsedZone['soa'] {
  const [first, second] = records.filter((found) => found.type === 'SOA')
  if (first === undefined) throw new ZoneFault(1, `has no SOA record for ${zone}`)
  if (second !== undefined) throw new ZoneFault(second.entry.line, 'has a second SOA record')
  if (first.name !== zone)
    throw new ZoneFault(first.entry.line, `has the SOA record of another zone, ${first.name}`)
  const { tokens } = first.entry
  // From the end: refresh, retry, expire and minimum follow it.
  const serial = tokens.at(-5)!
  if (tokens.some((token) => token.text === '\\#') || !/^\d+$/.test(serial.text))
    throw new ZoneFault(
      first.entry.line,
      'has a SOA record whose serial cannot be found; write it in the usual form',
    )
  const start = serial.start + (serial.quoted ? 1 : 0)
  return { serial: Number(serial.text), start, end: start + serial.text.length }
}
