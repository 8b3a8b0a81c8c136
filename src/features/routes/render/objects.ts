/**
 * What stands in a rendering, object by object. The renderer knows it, so nobody reads the text again: which domain an object
 * belongs to, what it says, and where its text stands.
 */
import type { DomainFields } from '../../../model/domain/record.ts'
import { HEADER, type Part, textOfPiece } from './layout.ts'
import { KINDS, OPEN_KINDS, type RecordKind } from './kinds.ts'
import { domainOfName, GENERATION_MARK } from './names.ts'
import { isAlike, recordObjects } from './record.ts'
import { traitsOf, valuesOf } from './route.ts'
import type { PlainMap, RoutesSettings } from './settings.ts'
import { extraLister } from '../middlewares/extras.ts'

export interface RouteObject {
  /** The domain that it belongs to; null for what is shared. */
  readonly domain: string | null
  /** False for lines that are no object, such as a comment. */
  readonly placed: boolean
  /** Where its text begins in the whole. */
  readonly start: number
  readonly text: string
  /** As the proxy reads it; undefined where that cannot be told. */
  readonly value: PlainMap | undefined
}

/** By item, `http.routers.plumbline-site_app.example.com`, in the order of the file. */
export type RouteObjects = ReadonlyMap<string, RouteObject>

/** The objects of a rendering that was just laid out. */
export function objectsOf(parts: readonly Part[], settings: RoutesSettings): RouteObjects {
  const objects = new Map<string, RouteObject>([['line 1', headerOf()]])
  const valueOf = valuesBy(settings)
  let start = 0
  for (const part of parts) {
    const { bytes } = part.chunk
    let at = 0
    const take = (length: number): Slice => {
      const slice = { bytes, at, length, start: start + at }
      at += length
      return slice
    }
    if (part.kind === null) {
      for (const piece of part.pieces) {
        const slice = take(textOfPiece(piece).length)
        if (typeof piece === 'string') continue
        const { section, name, config } = piece
        objects.set(`${section}.${name}`, new Written(slice, null, () => config))
      }
    } else {
      const { kind, chunk } = part
      const { section, mark } = KINDS[kind]
      for (const [i, fields] of chunk.owners.entries())
        objects.set(
          `${section}.${mark}${fields.domain}`,
          new Written(take(chunk.lengths[i]!), fields.domain, () => valueOf(kind, fields)),
        )
    }
    start += bytes.length
  }
  return objects
}

const headerOf = (): RouteObject => ({
  domain: null,
  placed: false,
  start: 0,
  text: HEADER,
  value: undefined,
})

/** What the plain renderer says of an object. */
function valuesBy(settings: RoutesSettings): (kind: RecordKind, fields: DomainFields) => PlainMap {
  const { alike, single } = recordObjects(settings, {
    shared: (name) => name,
    extras: extraLister(settings),
  })
  // A record has an object for which text was written.
  return (kind, fields) =>
    isAlike(kind) ? alike[kind](traitsOf(fields), valuesOf(fields)) : single[kind](fields)!
}

interface Slice {
  readonly bytes: Uint8Array
  readonly at: number
  readonly length: number
  readonly start: number
}

/** There are tens of thousands of them, and few are ever asked what they say. */
class Written implements RouteObject {
  readonly domain: string | null
  readonly placed = true
  readonly #slice: Slice
  readonly #make: () => PlainMap
  #value: PlainMap | undefined

  constructor(slice: Slice, domain: string | null, make: () => PlainMap) {
    this.#slice = slice
    this.domain = domain
    this.#make = make
  }

  get start(): number {
    return this.#slice.start
  }

  get text(): string {
    return part(this.#slice).toString('latin1')
  }

  get value(): PlainMap {
    return (this.#value ??= this.#make())
  }

  isWrittenLike(other: Written, isSameChunk: (a: Uint8Array, b: Uint8Array) => boolean): boolean {
    const [mine, theirs] = [this.#slice, other.#slice]
    if (mine.length !== theirs.length) return false
    return (mine.at === theirs.at && isSameChunk(mine.bytes, theirs.bytes)) || part(mine).equals(part(theirs))
  }
}

const part = ({ bytes, at, length }: Slice): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at, length)

type Text = Pick<RouteObject, 'text'> | undefined

/** Tells whether two have the same text, which is made for neither where both were written by a renderer. */
export function textComparer(): (a: Text, b: Text) => boolean {
  // Compared as wholes, and once: in two renderings nearly all chunks are alike.
  const compared = new Map<Uint8Array, { readonly other: Uint8Array; readonly is_same: boolean }>()
  const isSameChunk = (bytes: Uint8Array, other: Uint8Array): boolean => {
    const known = compared.get(bytes)
    if (known?.other === other) return known.is_same
    const is_same = Buffer.compare(bytes, other) === 0
    compared.set(bytes, { other, is_same })
    return is_same
  }
  return (a, b) =>
    a === b ||
    (a instanceof Written && b instanceof Written ? a.isWrittenLike(b, isSameChunk) : a?.text === b?.text)
}

export interface Figures {
  readonly http_routers: number
  readonly tcp_routers: number
  /** Routers of open paths among them. */
  readonly open_routers: number
  readonly domains: number
}

/** Counted by the names of what stands there. */
export function figuresOf(objects: RouteObjects): Figures {
  let [http_routers, tcp_routers, open_routers, sites] = [0, 0, 0, 0]
  for (const item of objects.keys()) {
    if (item.startsWith('http.routers.')) http_routers++
    if (item.startsWith('tcp.routers.')) tcp_routers++
    if (OPEN.some((mark) => item.startsWith(mark))) open_routers++
    if (item.startsWith(SITE)) sites++
  }
  return { http_routers, tcp_routers, open_routers, domains: sites + tcp_routers }
}

const itemMark = ({ section, mark }: (typeof KINDS)[RecordKind]): string => `${section}.${mark}`
const SITE = itemMark(KINDS.site)
const OPEN = OPEN_KINDS.map((kind) => itemMark(KINDS[kind]))

/** What names a rendering as a whole. */
export const isMarker = (item: string): boolean => item.startsWith(`http.middlewares.${GENERATION_MARK}`)

/** The name that an item ends in: `plumbline-site_app.example.com`. */
export const nameOfItem = (item: string): string => item.slice(item.indexOf('.', item.indexOf('.') + 1) + 1)

/** The domain of an object by its item; null for what is shared or not ours. */
export const domainOfItem = (item: string): string | null => domainOfName(nameOfItem(item))
