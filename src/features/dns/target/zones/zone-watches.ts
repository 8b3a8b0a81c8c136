/** Who waits to hear that a zone may have changed: from its gateways, from the provider, or from somebody who doubts. */
import { Failure } from '../../../../kernel/failure.ts'
import { placeOf } from '../observe.ts'
import type { ZoneTargetParts } from '../parts.ts'

interface Watch {
  close(): void
}

interface Entry {
  readonly hint: () => void
  readonly gateways: Watch
  /** Null while nothing can be heard of at the provider. */
  provider: Watch | null
}

export class ZoneWatches {
  readonly #zone: string
  readonly #parts: ZoneTargetParts
  readonly #open = new Set<Entry>()

  constructor(zone: string, parts: ZoneTargetParts) {
    this.#zone = zone
    this.#parts = parts
  }

  open(hint: () => void): Watch {
    const entry: Entry = { hint, gateways: this.#parts.watch(hint), provider: null }
    this.#open.add(entry)
    this.arm()
    return {
      close: () => {
        this.#open.delete(entry)
        entry.gateways.close()
        entry.provider?.close()
      },
    }
  }

  /** The zone may have been made since: a planned one is not watched, because that would make its folder. */
  arm(): void {
    for (const entry of this.#open) entry.provider ??= this.#atProvider(entry.hint)
  }

  hint(): void {
    for (const { hint } of this.#open) hint()
  }

  #atProvider(hint: () => void): Watch | null {
    try {
      const { zone, provider } = placeOf(this.#parts, this.#zone)
      return zone.planned ? null : (provider.watch?.(zone.name, hint) ?? null)
    } catch (error) {
      if (error instanceof Failure) return null
      throw error
    }
  }
}
