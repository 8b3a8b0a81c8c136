/**
 * From records to the bytes of the routes file. Pure: the same records and settings give the same bytes, in whatever
 * order they were saved.
 */
import { inPieces } from '../../../kernel/async/in-pieces.ts'
import { othersTurn } from '../../../kernel/async/others-turn.ts'
import { Failure } from '../../../kernel/failure.ts'
import { byDomain, type Intent, type IntentRow } from '../../../model/intent.ts'
import { recordWriter, type RecordWriter } from '../fast/record-text.ts'
import { extraLister } from '../middlewares/extras.ts'
import type { Use } from '../render/http-routers.ts'
import { layOut } from '../render/layout.ts'
import { objectsOf, type RouteObjects } from '../render/objects.ts'
import type { RoutesSettings } from '../render/settings.ts'
import { RenderBuffer } from '../render/buffer.ts'

export interface RoutesDesired {
  /** The file's bytes, in order. */
  readonly chunks: readonly Uint8Array[]
  /** SHA-256 of all bytes, lower-case hexadecimal. */
  readonly checksum: string
  /** Sixteen hexadecimal digits: names this rendering in a middleware, so that the proxy's API shows what was loaded. */
  readonly generation: string
  readonly http_routers: number
  readonly tcp_routers: number
  /** Routers of open paths among them. */
  readonly open_routers: number
  readonly domains: number
  /** What stands in it: made when it is asked for, and kept. */
  objects(): RouteObjects
}

/**
 * The whole file for an edition. Never empty: an empty file is valid to Traefik and would take every route down.
 * Throws `internal` for rows that break a rule of the record (no backend, no entrypoint, one domain twice).
 */
export function renderRoutes(intent: Intent, settings: RoutesSettings): RoutesDesired {
  const rendering = new Rendering(settings)
  const rows = renderedRows(intent)
  for (const row of rows) rendering.add(row)
  return rendering.end()
}

/** The same file, rendered in pieces, between which others have their turn. */
export async function renderRoutesInPieces(intent: Intent, settings: RoutesSettings): Promise<RoutesDesired> {
  const rendering = new Rendering(settings)
  const rows = renderedRows(intent)
  await inPieces(rows, (row) => rendering.add(row))
  await othersTurn(rows.length)
  return rendering.end()
}

/** One file on its way: records are added in their order. */
class Rendering {
  readonly #settings: RoutesSettings
  readonly #buffer = new RenderBuffer()
  readonly #write: RecordWriter
  #domains = 0

  constructor(settings: RoutesSettings) {
    this.#settings = settings
    const { runs } = this.#buffer
    this.#write = recordWriter(settings, useOf(this.#buffer, settings), (kind, text, fields) =>
      runs[kind].add(text, fields),
    )
  }

  add({ fields }: IntentRow): void {
    this.#write(fields)
    this.#buffer.close(fields)
    this.#domains++
  }

  end(): RoutesDesired {
    const { http_routers, tcp_routers, open_routers } = this.#buffer
    const { parts, chunks, checksum, generation } = layOut(this.#buffer, this.#settings)
    let objects: RouteObjects | null = null
    return {
      chunks,
      checksum,
      generation,
      http_routers,
      tcp_routers,
      open_routers,
      domains: this.#domains,
      objects: () => (objects ??= objectsOf(parts, this.#settings)),
    }
  }
}

/** Names middlewares for routers and notes them on the sheet, so that what is used is defined, and nothing else. */
function useOf(buffer: RenderBuffer, settings: RoutesSettings): Use {
  const extrasOf = extraLister(settings)
  return {
    shared(name) {
      buffer.shared.add(name)
      return name
    },
    extras(names) {
      for (const name of names) buffer.extras.add(name)
      return extrasOf(names)
    },
  }
}

/** Live rows that are ours to render, ordered by domain: a rendering must not depend on who ordered them. */
function renderedRows(intent: Intent): readonly IntentRow[] {
  const rows = intent.rows.filter((row) => row.live && row.fields.service_type !== 'manual')
  const isOrdered = rows.every((row, i) => i === 0 || byDomain(rows[i - 1]!, row) < 0)
  if (isOrdered) return rows
  const ordered = rows.toSorted(byDomain)
  const twin = ordered.find((row, i) => i > 0 && row.fields.domain === ordered[i - 1]!.fields.domain)
  if (twin !== undefined)
    throw new Failure(
      'internal',
      `routes: two records are named ${twin.fields.domain}; one key twice spoils the file`,
    )
  return ordered
}
