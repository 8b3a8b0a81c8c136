/** Recognising a middleware of the files in the catalogue. Equal is equal: another limit is another middleware. */
import { canonicalJson } from '../../../../kernel/digest.ts'
import { type Parsed, refuse } from '../../../../model/text/result.ts'
import type { CatalogueMiddleware, ImportContext } from '../../../../ports/import-context.ts'
import { type Effect, effect } from '../effect.ts'
import { named } from '../../../routes/grammar/named.ts'
import { comparable, isMapping } from '../../../routes/grammar/tree.ts'

export function catalogueEffect(wanted: CatalogueMiddleware, context: ImportContext): Parsed<Effect> {
  const equal = equalEntry(wanted, context)
  if (equal !== null) return effect({ extras: [equal] })
  const same = context.catalogue.filter(({ type }) => type.toLowerCase() === wanted.type.toLowerCase())
  const [only] = same
  // Without options it only says what kind of thing is wanted: `compress: {}`.
  if (only !== undefined && same.length === 1 && isBare(wanted)) {
    const note = `the middleware ${named(wanted.name)} becomes ${named(only.name)} of the catalogue, with its options`
    return effect({ extras: [only.name], notes: [note] })
  }
  const near = same.map(({ name }) => named(name)).join(', ')
  return refuse(
    'middleware',
    `uses the ${wanted.type} middleware ${named(wanted.name)}, which a record cannot say` +
      (near === '' ? '' : `; the catalogue has ${near} with other options`),
  )
}

const isBare = ({ config }: CatalogueMiddleware): boolean =>
  isMapping(config) && Object.keys(config).length === 0

/** The catalogue's name for exactly this, or null. */
export function equalEntry(
  { type, config }: Omit<CatalogueMiddleware, 'name'>,
  context: ImportContext,
): string | null {
  const text = canonicalJson(comparable(config))
  const entry = context.catalogue.find(
    (candidate) =>
      candidate.type.toLowerCase() === type.toLowerCase() &&
      canonicalJson(comparable(candidate.config)) === text,
  )
  return entry?.name ?? null
}
