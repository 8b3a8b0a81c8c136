/** The components of an installation in the order in which a deploy works on them, each with one key or with many. */
import type { Intent, IntentRow } from '../model/intent.ts'
import type { Whose } from '../model/whose.ts'
import type { AnyBlueprint, AnyFamily, AnyTarget } from './target.ts'

export type Source = AnyTarget | AnyFamily

const isFamily = (source: Source): source is AnyFamily => 'targetsFor' in source

export class Components {
  readonly #sources: readonly Source[]

  constructor(sources: readonly Source[]) {
    this.#sources = sources
  }

  get blueprints(): readonly AnyBlueprint[] {
    return this.#sources
  }

  names(): readonly string[] {
    return [...new Set(this.#sources.map(({ name }) => name))]
  }

  /** Whether a person may say that a difference of it stays. */
  mayBeIgnored(component: string): boolean {
    return this.#sources.some(({ name, may_be_ignored }) => name === component && may_be_ignored === true)
  }

  /** The keys that have something to do with any of these editions, in the order of work. */
  targetsFor(...intents: readonly Intent[]): readonly AnyTarget[] {
    return this.#sources.flatMap((source) =>
      isFamily(source) ? [...new Set(intents.flatMap((intent) => source.targetsFor(intent)))] : [source],
    )
  }
}

/** Whether a key has to do with any of these records. */
export const concerns = (target: Pick<AnyTarget, 'concerns'>, rows: readonly IntentRow[]): boolean =>
  target.concerns === undefined || rows.some((row) => target.concerns?.(row))

/** Which keys have to do with records, as these editions have them; with nobody, none. */
export function concerning(
  records: Whose,
  ...editions: readonly Intent[]
): (target: Pick<AnyTarget, 'concerns'>) => boolean {
  if (records === 'all') return () => true
  if (records.length === 0) return () => false
  const ids = new Set(records)
  const rows = editions.flatMap((edition) => edition.rows.filter((row) => ids.has(row.domain_id)))
  return (target) => concerns(target, rows)
}
