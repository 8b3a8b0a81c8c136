/** Routes that were taken out because they answered without signing in: the evidence, and the way back. */
import type { SsoDrift } from '../../api/types.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import { parseTime } from '../../model/ages.ts'
import { visible } from '../../model/visible.ts'
import { startChange } from '../../parts/acts.tsx'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { DomainLink } from '../../parts/name.tsx'

type Quarantined = SsoDrift['quarantine'][number]

export function Quarantine({ of }: { readonly of: readonly Quarantined[] }) {
  if (of.length === 0) return null
  return (
    <section class="gap2" aria-labelledby="quarantine">
      <h2 class="t" id="quarantine">
        Taken out <span class="q s">{of.length}</span>
      </h2>
      <ul>
        {of.map((one) => (
          <li key={one.domain_id} class="rowy box pad gapb">
            <LampIcon lamp="bad" />
            <span>
              <DomainLink name={one.domain} />{' '}
              <span class="q2">
                is not served since <Time at={parseTime(one.since)} ago />. {visible(one.evidence)}
              </span>
            </span>
            <button
              type="button"
              class="btn"
              disabled={!mayChange.value}
              title={whyNot.value ?? undefined}
              onClick={() => startChange(liftOf(one))}
            >
              Lift…
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const liftOf = ({ domain }: Quarantined) => ({
  label: `Let ${domain} be served again`,
  change: {
    kind: 'call' as const,
    method: 'POST' as const,
    path: `/api/sso/quarantine/${encodeURIComponent(domain)}/lift`,
  },
})
