/** Backends behind active records as `plumbline doctor` finds them: those that do not answer, and those of which nobody looks at the certificate. */
import { shellWord } from '../kernel/text/shell-word.ts'
import { isInsecure } from '../model/domain/backend-rules.ts'
import type { DomainRecord } from '../model/domain/record.ts'
import type { Finding } from '../cli/verb.ts'
import { unreachedAmong } from '../cli/backends.ts'
import { warning } from './finding.ts'
import type { Ask, World } from './world.ts'

const MAX_NAMED = 5

export const backends: World = {
  async asked(ask) {
    const records = await ask<readonly DomainRecord[]>('/api/domains?status=active')
    return [...(await silentOf(ask, records)), ...insecureOf(records)]
  },
}

/** A few of them, each asked once. */
async function silentOf(ask: Ask, records: readonly DomainRecord[]): Promise<readonly Finding[]> {
  const found = await unreachedAmong(ask, records)
  return found.map(({ domain, why }) =>
    warning(
      'backend',
      `${domain}: ${why}`,
      `Start it, or correct its place with "plumbline set ${shellWord(domain)} backend_host=… backend_port=…"; "plumbline detect ${shellWord(domain)}" looks closer.`,
    ),
  )
}

function insecureOf(records: readonly DomainRecord[]): readonly Finding[] {
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
}
