/** Where the sign-in rules are not what they should be, what could not be found out, and what nobody looks at. */
import type { SsoDrift } from '../../api/types.ts'
import type { AccessFault } from '../../model/kept/access.ts'
import { visible } from '../../model/visible.ts'
import { Prose } from '../../parts/text/prose.tsx'
import { number } from '../../model/words.ts'
import { LampIcon } from '../../parts/lamp.tsx'

interface Props {
  readonly faults: readonly AccessFault[]
  readonly unknown: SsoDrift['unknown']
  readonly unchecked: SsoDrift['not_checked']
}

const MAX_SHOWN = 100

export const Faults = ({ faults, unknown, unchecked }: Props) => (
  <>
    {faults.length > 0 && (
      <section class="gap2" aria-labelledby="differs">
        <h2 class="t" id="differs">
          Differs <span class="q s">{number(faults.length)}</span>
          <a class="more" href="/drift?world=sso">
            compare
          </a>
        </h2>
        <ul>
          {faults.slice(0, MAX_SHOWN).map(({ key, lamp, title, domain, detail, cure }) => (
            <li key={key} class="why">
              <LampIcon lamp={lamp} />
              <span>
                <b>
                  {title}: {visible(domain)}
                </b>{' '}
                <Prose of={detail} />{' '}
                <span class="q2">
                  <Prose of={cure} />
                </span>
              </span>
            </li>
          ))}
        </ul>
        {faults.length > MAX_SHOWN && <p class="q2">and {number(faults.length - MAX_SHOWN)} more</p>}
      </section>
    )}
    {unknown.length > 0 && <Unseen id="unknown" title="Not found out" lamp="unknown" of={unknown} />}
    {unchecked.length > 0 && <Unseen id="unchecked" title="Nobody looks" lamp="off" of={unchecked} />}
  </>
)

interface UnseenProps {
  readonly id: string
  readonly title: string
  readonly lamp: 'unknown' | 'off'
  readonly of: SsoDrift['unknown']
}

const Unseen = ({ id, title, lamp, of }: UnseenProps) => (
  <section class="gap2" aria-labelledby={id}>
    <h2 class="t" id={id}>
      {title} <span class="q s">{number(of.length)}</span>
    </h2>
    <ul>
      {of.slice(0, MAX_SHOWN).map(({ part, domain, detail, cure }) => (
        <li key={`${part} ${domain ?? ''} ${detail}`} class="why">
          <LampIcon lamp={lamp} />
          <span>
            {domain !== null && <b>{visible(domain)} </b>}
            <Prose of={detail} />{' '}
            <span class="q2">
              <Prose of={cure} />
            </span>
          </span>
        </li>
      ))}
    </ul>
    {of.length > MAX_SHOWN && <p class="q2">and {number(of.length - MAX_SHOWN)} more</p>}
  </section>
)
