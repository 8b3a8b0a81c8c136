/**
 * What a release froze, read from its bytes: the one reader of our own output. It is asked only where the renderer does not
 * give the same bytes today: another version has written them, or other settings, or they are of an older release.
 */
import { sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import { GENERATION_MARK } from '../render/names.ts'
import {
  domainOfItem,
  type Figures,
  figuresOf,
  nameOfItem,
  type RouteObject,
  type RouteObjects,
} from '../render/objects.ts'
import { isPlainMap, type PlainMap } from '../render/settings.ts'
import type { RoutesDesired } from '../target/desire.ts'
import { type Block, scanBlocks } from './blocks.ts'
import { readValues } from './read-values.ts'
import { textOf } from '../render/text.ts'

/** Reads nothing before it is asked for. */
export class ReadRendering implements RoutesDesired {
  readonly chunks: readonly Uint8Array[]
  readonly checksum: string
  #objects: RouteObjects | null = null

  constructor(chunks: readonly Uint8Array[], checksum = sha256(chunks)) {
    this.chunks = chunks
    this.checksum = checksum
  }

  objects(): RouteObjects {
    return (this.#objects ??= readObjects(textOf(this.chunks)))
  }

  get generation(): string {
    return generationIn(this.chunks) ?? ''
  }

  get http_routers(): number {
    return this.#figures().http_routers
  }

  get tcp_routers(): number {
    return this.#figures().tcp_routers
  }

  get open_routers(): number {
    return this.#figures().open_routers
  }

  get domains(): number {
    return this.#figures().domains
  }

  #figures(): Figures {
    return figuresOf(this.objects())
  }
}

const readObjects = (text: string): RouteObjects =>
  new Map([...scanBlocks(text)].map(([item, block]) => [item, new ReadObject(item, block)]))

class ReadObject implements RouteObject {
  readonly domain: string | null
  readonly placed: boolean
  readonly start: number
  readonly text: string
  readonly #item: string
  #value: { readonly is: PlainMap | undefined } | null = null

  constructor(item: string, { text, start, placed }: Block) {
    this.#item = item
    this.domain = placed ? domainOfItem(item) : null
    this.placed = placed
    this.start = start
    this.text = text
  }

  get value(): PlainMap | undefined {
    this.#value ??= { is: this.placed ? valueIn(this.#item, this.text) : undefined }
    return this.#value.is
  }
}

/** Undefined for a form that is not ours. */
function valueIn(item: string, text: string): PlainMap | undefined {
  const [root = '', kind = ''] = item.split('.', 2)
  const value = readOrNothing(`${root}:\n  ${kind}:\n${text}`)?.[root]
  const section = isPlainMap(value) ? value[kind] : undefined
  const object = isPlainMap(section) ? section[nameOfItem(item)] : undefined
  return isPlainMap(object) ? object : undefined
}

function readOrNothing(text: string): PlainMap | undefined {
  try {
    return readValues(text)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

// The emitter escapes every line feed, so nothing that a record says can begin a line.
const MARKER = new RegExp(`^ {4}"${GENERATION_MARK}([0-9a-f]{16})":$`, 'm')

/** What names a rendering in the proxy; null in what is none of ours. Sooner than a reading of the whole. */
export function generationIn(chunks: readonly Uint8Array[]): string | null {
  // The marker is no longer than a line and stands in one chunk.
  for (const chunk of chunks) {
    const found = MARKER.exec(textOf([chunk]))
    if (found !== null) return found[1]!
  }
  return null
}
