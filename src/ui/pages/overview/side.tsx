/** Beside the overview: the ends of certificates over 90 days, and the last changes. */
import { useResource } from '../../api/cache.ts'
import { now } from '../../api/clock.ts'
import type { AuditEntry, Certificates } from '../../api/types.ts'
import { auditText } from '../../model/audit-words.ts'
import { parseTime } from '../../model/ages.ts'
import { Time } from '../../parts/age.tsx'
import { Text } from '../../parts/name.tsx'
import { Horizon } from './horizon.tsx'

export function Side() {
  const trail = useResource<readonly AuditEntry[]>('/api/audit?limit=10').value ?? []
  const found = useResource<Certificates>('/api/certificates').value?.certificates ?? []
  const ends = found.flatMap(({ name, certificate }) =>
    certificate === null ? [] : [{ name, at: parseTime(certificate.not_after) }],
  )
  return (
    <aside class="side">
      {ends.length > 0 && (
        <section aria-labelledby="h">
          <h2 class="t" id="h">
            Certificates <span class="more">{ends.length}</span>
          </h2>
          <Horizon ends={ends} now={now.value} />
        </section>
      )}
      {trail.length > 0 && (
        <section aria-labelledby="c">
          <h2 class="t" id="c">
            Last changes{' '}
            <a class="more" href="/changes?part=audit">
              all
            </a>
          </h2>
          <ol class="feed">
            {trail.map((entry) => (
              <li key={entry.id}>
                <Time at={parseTime(entry.at)} />
                <span>
                  <Text of={auditText(entry)} />
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </aside>
  )
}
