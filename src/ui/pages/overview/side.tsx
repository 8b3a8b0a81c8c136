/** Beside the overview: what is under way, the ends of certificates over 90 days, addresses, the last changes. */
import { now } from '../../api/clock.ts'
import type { Operation, Overview } from '../../api/types.ts'
import { ageText, parseTime } from '../../model/ages.ts'
import { auditText } from '../../model/audit-words.ts'
import { type MovedLine, movedLine } from '../../model/text/moved-words.ts'
import { visible } from '../../model/visible.ts'
import { Time } from '../../parts/age.tsx'
import { Text } from '../../parts/name.tsx'
import { Horizon } from './horizon.tsx'

export function Side({
  overview: { operations, certificates, addresses, audit },
}: {
  readonly overview: Overview
}) {
  const ends = (certificates?.ends ?? []).map(({ name, not_after }) => ({ name, at: parseTime(not_after) }))
  return (
    <aside class="side">
      {operations.map((operation) => (
        <UnderWay key={operation.id} operation={operation} />
      ))}
      {ends.length > 0 && (
        <section aria-labelledby="h">
          <h2 class="t" id="h">
            Certificates <span class="more">{ends.length + (certificates?.later ?? 0)}</span>
          </h2>
          <Horizon ends={ends} now={now.value} />
        </section>
      )}
      <Addresses addresses={addresses} />
      {audit.length > 0 && (
        <section aria-labelledby="c">
          <h2 class="t" id="c">
            Last changes{' '}
            <a class="more" href="/changes?part=audit">
              all
            </a>
          </h2>
          <ol class="feed">
            {audit.map((entry) => (
              <li key={entry.id}>
                <Time at={parseTime(entry.at)} />
                <span>
                  <Text of={auditText(entry)} />
                  <Moved of={movedLine(entry.detail)} />
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </aside>
  )
}

function Moved({ of }: { readonly of: MovedLine | null }) {
  if (of === null) return null
  return (
    <>
      <br />
      {of.opens && <span class="tag bad">lets in more</span>}{' '}
      <span class="s q2">
        <Text of={of.text} />
      </span>
    </>
  )
}

function UnderWay({ operation: { method, path, progress, created_at } }: { readonly operation: Operation }) {
  const { done, total } = progress ?? { done: 0, total: 0 }
  return (
    <section class="box pad" aria-label="Under way">
      <h2 class="t">Under way</h2>
      <p class="mono s">{visible(`${method} ${path}`)}</p>
      {total > 0 && (
        <div
          class="progress"
          role="progressbar"
          aria-valuenow={Math.round((done / total) * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-label={`${done} of ${total} steps`}
        >
          <i style={{ inlineSize: `${(done / total) * 100}%` }} />
        </div>
      )}
      <p class="s q2">
        {total > 0 && `${done} of ${total} · `}
        {ageText(parseTime(created_at), now.value)}
      </p>
    </section>
  )
}

function Addresses({ addresses: { fixed, reported } }: Pick<Overview, 'addresses'>) {
  if (fixed.length === 0 && reported.length === 0) return null
  return (
    <section aria-labelledby="a">
      <h2 class="t" id="a">
        Public address
      </h2>
      <dl class="kv">
        {fixed.map((address) => (
          <div key={address} class="contents">
            <dt>fixed</dt>
            <dd class="mono">{visible(address)}</dd>
          </div>
        ))}
        {reported.map(({ host, ipv4, ipv6, changed_at }) => (
          <div key={host} class="contents">
            <dt>{visible(host)}</dt>
            <dd>
              <span class="mono">{[ipv4, ipv6].filter(Boolean).join(' ')}</span>{' '}
              <span class="q s">
                since <Time at={parseTime(changed_at)} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
