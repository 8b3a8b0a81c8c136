/** What no list of records holds: names that lie in no zone, and sets of ours that nothing asks for any more. */
import type { DnsIntegrity } from '../../api/types.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { visible } from '../../model/visible.ts'
import { count, plain } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { DomainLink } from '../../parts/name.tsx'

interface Props {
  readonly without_zone: readonly string[]
  readonly integrity: DnsIntegrity | undefined
}

export function Outside({ without_zone, integrity }: Props) {
  return (
    <>
      {without_zone.length > 0 && (
        <section class="gap2" aria-labelledby="no-zone">
          <h2 class="t" id="no-zone">
            In no zone <span class="q s">{without_zone.length}</span>
          </h2>
          <p class="q2 flush">No account has a zone for these names, so no record is made for them.</p>
          <p class="row-links">
            {without_zone.map((name) => (
              <DomainLink key={name} name={name} />
            ))}
          </p>
        </section>
      )}
      {integrity !== undefined && integrity.leftovers.length > 0 && (
        <section class="gap2" aria-labelledby="leftovers">
          <h2 class="t" id="leftovers">
            Left over <span class="q s">{integrity.leftovers.length}</span>
          </h2>
          <ul>
            {integrity.leftovers.map(({ name, type, values, because }) => (
              <li key={`${type} ${name}`} class="why">
                <LampIcon lamp="moving" />
                <span>
                  {type} {visible(name)} <span class="q2 mono">{values.map(visible).join(', ')}</span>{' '}
                  <span class="q2">
                    {plain(because)};{' '}
                    {because === 'no_address'
                      ? 'it goes when you say so, with plumbline dns remove.'
                      : 'its removal is due.'}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {integrity !== undefined && <Checked integrity={integrity} />}
    </>
  )
}

/** What the look from outside has found, and when. */
function Checked({ integrity: { counts, checked_at, reason } }: { readonly integrity: DnsIntegrity }) {
  const at = parseTimeOr(checked_at)
  if (at === null) return reason === null ? null : <p class="s q gap2">From outside: {visible(reason)}</p>
  return (
    <p class="s q gap2">
      From outside, <Time at={at} ago />: {count(counts.synced, 'name')} in place, {counts.propagating} on the
      way, {counts.slow} late, {counts.unknown} unknown.{reason !== null && ` ${visible(reason)}`}
    </p>
  )
}
