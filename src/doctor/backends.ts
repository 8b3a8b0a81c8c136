/** Backends behind active records as `plumbline doctor` finds them: those of which nobody looks at the certificate. */
import { isInsecure } from '../model/domain/backend-rules.ts'
import type { DomainRecord } from '../model/domain/record.ts'
import { warning } from './finding.ts'
import type { World } from './world.ts'

const MAX_NAMED = 5

export const backends: World = {
  async asked(ask) {
    const records = await ask<readonly DomainRecord[]>('/api/domains?status=active')
    const names = records.filter(isInsecure).map(({ domain }) => domain)
    if (names.length === 0) return []
    const shown = names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ' …' : '')
    return [
      warning(
        'backend_tls',
        `insecure: nobody looks at the certificate of the backend of ${shown}, so whoever stands in between can be it`,
        'Give backend_tls an authority or the certificate itself: "plumbline detect NAME" says which.',
      ),
    ]
  },
}
