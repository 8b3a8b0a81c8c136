/** What a rendering is made of, for an estate of any size. */
import { byDomain, type Intent } from '../../src/model/intent.ts'
import { checkNew } from '../../src/model/domain/rules.ts'
import { estateOf } from './estate.ts'

const OFFER = {
  tcp_entrypoints: [],
  tls_entrypoint: 'websecure',
  middlewares: new Map(),
  open_paths: new Map(),
  backend_authorities: new Set<string>(),
}

export function intentOf(size: number): Intent {
  const rows = estateOf(size).map(({ fields }, index) => {
    const checked = checkNew(fields, OFFER)
    if (!checked.ok) throw new Error(JSON.stringify(checked.errors))
    return { domain_id: index + 1, revision: 1, live: true, retired: false, fields: checked.fields }
  })
  return { rows: rows.sort(byDomain) }
}
