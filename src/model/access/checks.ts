/** What a route asks of whoever comes, before the backend does. Pure. */
import type { DomainFields } from '../domain/record.ts'
import type { Offer } from '../domain/rules.ts'
import { isProtected } from './applies.ts'

/** One sentence part each: `sign-in (auth_required)`. Equal checks are equal texts. */
export function checksOf(
  fields: DomainFields,
  { middlewares }: Pick<Offer, 'middlewares'>,
): readonly string[] {
  const { service_type, middleware_config } = fields
  const named = middleware_config.extra_middlewares.flatMap((name) => {
    const offered = middlewares.get(name)
    // What is not in the catalogue any more may have been one.
    const check = offered === undefined ? 'unknown middleware' : offered.check
    return check === undefined ? [] : [`${check} (${name})`]
  })
  return [
    ...(isProtected(fields) ? ['sign-in (auth_required)'] : []),
    ...(service_type === 'internal' ? ['IP allow list (service_type internal)'] : []),
    ...named,
  ]
}
