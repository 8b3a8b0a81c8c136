/** Text on its way to bytes: one run per kind of object, cut where the content says, so that one edited domain changes few chunks. */
import { crc32 } from 'node:zlib'
import type { DomainFields } from '../../../model/domain/record.ts'

/** How many domains share a chunk on average, less one; a power of two less one. */
const CUT_MASK = 127

/** True at about every 128th domain: FNV-1a of the name, so that a cut never depends on the domain's neighbours. */
export function isCut(domain: string): boolean {
  let hash = 0x811c9dc5
  for (let i = 0; i < domain.length; i++) hash = Math.imul(hash ^ domain.charCodeAt(i), 0x01000193)
  return (hash & CUT_MASK) === 0
}

export interface Chunk {
  readonly bytes: Uint8Array
  /** Length and CRC-32, taken while the bytes are still near at hand. Tells chunks apart where nobody means harm. */
  readonly mark: string
}

/** A chunk of one kind of object, and whose they are. */
export interface RecordChunk extends Chunk {
  /** In the order of the text. */
  readonly owners: readonly DomainFields[]
  /** Of each one's text. */
  readonly lengths: readonly number[]
}

/** The text of one kind of object, in domain order. */
export class Run {
  readonly #chunks: RecordChunk[] = []
  #text = ''
  #owners: DomainFields[] = []
  #lengths: number[] = []
  #size = 0

  /** How many objects it has. */
  get size(): number {
    return this.#size
  }

  add(text: string, owner: DomainFields): void {
    this.#text += text
    this.#owners.push(owner)
    this.#lengths.push(text.length)
    this.#size++
  }

  cut(): void {
    if (this.#text === '') return
    this.#chunks.push({ ...chunkOf(this.#text), owners: this.#owners, lengths: this.#lengths })
    this.#text = ''
    this.#owners = []
    this.#lengths = []
  }

  /** Closes the run. */
  end(): readonly RecordChunk[] {
    this.cut()
    return this.#chunks
  }
}

/** Emitted text is ASCII by the emitter's invariant; Latin-1 is two to three times faster to write than UTF-8. */
export function chunkOf(text: string): Chunk {
  const bytes = Buffer.from(text, 'latin1')
  return { bytes, mark: `${bytes.length} ${crc32(bytes)}` }
}
