/** `customResponseHeaders`: removals that hardly matter, and headers that the catalogue knows. */
import { type Parsed, refuse } from '../../../../model/text/result.ts'
import { equalEntry } from './catalogue-match.ts'
import type { ImportContext } from '../context.ts'
import { both, type Effect, effect } from '../effect.ts'
import { named } from '../place.ts'
import { isMapping, textOf } from '../tree.ts'

/** Refusals are clauses that follow the middleware's name. */
export function responseHeaderEffect(value: unknown, context: ImportContext): Parsed<Effect> {
  if (!isMapping(value)) return refuse('middleware', 'whose customResponseHeaders are no mapping')
  let whole = effect({})
  for (const [header, text] of Object.entries(value)) {
    if (!whole.ok) break
    const part = oneHeader(header, textOf(text) ?? '', context)
    if (!part.ok) return part
    whole = both(whole.value, part.value)
  }
  return whole
}

function oneHeader(header: string, text: string, context: ImportContext): Parsed<Effect> {
  if (text === '') return effect({})
  const equal = equalEntry(
    { type: 'headers', config: { customResponseHeaders: { [header]: text } } },
    context,
  )
  if (equal !== null) return effect({ extras: [equal] })
  const robots =
    header.toLowerCase() === 'x-robots-tag' && /\b(?:none|noindex)\b/i.test(text)
      ? robotsEntry(context)
      : null
  return robots === null
    ? refuse('middleware', `which sets the response header ${named(header)}`)
    : effect({
        extras: [robots],
        notes: [`X-Robots-Tag ${named(text)} becomes ${named(robots)} of the catalogue`],
      })
}

/** The catalogue's way to keep search engines out: an entry that sets X-Robots-Tag and nothing else. */
function robotsEntry({ catalogue }: ImportContext): string | null {
  const entry = catalogue.find(({ type, config }) => {
    const headers =
      isMapping(config) && Object.keys(config).length === 1 ? config['customResponseHeaders'] : undefined
    const names = isMapping(headers) ? Object.keys(headers) : []
    return type === 'headers' && names.length === 1 && names[0]!.toLowerCase() === 'x-robots-tag'
  })
  return entry?.name ?? null
}
