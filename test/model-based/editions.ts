/** All that was ever meant to be the file, by digest: bytes that are none of these are nobody's but a stranger's. */
import type { Rendering } from '../../src/ports/rendering.ts'
import { renderRoutes } from '../../src/features/routes/target/desire.ts'
import type { RoutesSettings } from '../../src/features/routes/render/settings.ts'
import { anIntent } from '../fixtures.ts'
import type { Model, ReleasedRow } from './model.ts'

type Edition = Pick<Rendering, 'chunks' | 'checksum'>

export class Editions {
  readonly #settings: RoutesSettings
  readonly #rows = new Map<string, readonly ReleasedRow[]>()
  /** The bytes of each, oldest first. */
  readonly bytes: Uint8Array[] = []

  constructor(settings: RoutesSettings) {
    this.#settings = settings
  }

  /** The service may come to this. */
  expect({ released }: Model): void {
    const rows = [...released.values()]
    const { checksum, chunks } = this.#render(rows)
    if (this.#rows.has(checksum)) return
    this.#rows.set(checksum, rows)
    this.bytes.push(Buffer.concat(chunks))
  }

  /** What the bytes stand for, or null. */
  rowsOf(checksum: string): readonly ReleasedRow[] | null {
    return this.#rows.get(checksum) ?? null
  }

  checksumOf(rows: Iterable<Pick<ReleasedRow, 'fields'>>): string {
    return this.#render(rows).checksum
  }

  #render(rows: Iterable<Pick<ReleasedRow, 'fields'>>): Edition {
    return renderRoutes(anIntent(...[...rows].map(({ fields }) => fields)), this.#settings)
  }
}
