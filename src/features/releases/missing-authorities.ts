/**
 * Authorities that PLUMBLINE_BACKEND_CA_DIR no longer has, and that deployed records trust. Any other deploy would take the
 * way to their backends out of the routes file.
 */
import { Failure, fieldError } from '../../kernel/failure.ts'
import type { Deps } from './deps.ts'

const NAME = 'PLUMBLINE_BACKEND_CA_DIR'
const MAX_NAMED = 8

/** Throws `bad_configuration` before anything is written: what the proxy has loaded stays as it is. */
export async function assertAuthoritiesThere({ store, offer }: Pick<Deps, 'store' | 'offer'>): Promise<void> {
  const { rows } = await store.intent('released')
  const lacking = new Map<string, string[]>()
  for (const { live, fields } of rows) {
    const name = fields.backend_tls?.ca_name
    if (!live || name === undefined || offer.backend_authorities.has(name)) continue
    lacking.set(name, [...(lacking.get(name) ?? []), fields.domain])
  }
  if (lacking.size === 0) return
  const faults = [...lacking].map(
    ([name, domains]) =>
      `has no ${name}.pem, which ${domains.slice(0, MAX_NAMED).join(', ')}${domains.length > MAX_NAMED ? ` and ${domains.length - MAX_NAMED} more` : ''} trust${domains.length === 1 ? 's' : ''}; ` +
      'put it back, start, and change these records before it goes',
  )
  throw new Failure('bad_configuration', faults.map((fault) => `${NAME}: ${fault}.`).join('\n'), {
    errors: faults.map((fault) => fieldError([NAME], fault, 'config')),
  })
}
