/** What a lamp answers when it is pressed: why, since when it is known, and what can be done. */
import { signal } from '@preact/signals'
import { domainAddress } from '../../address.ts'
import { distinctActs } from '../../api/acts.ts'
import { useResource } from '../../api/cache.ts'
import type { Act, DomainLamps, ExplainedDomain } from '../../api/types.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { LAMP_NAMES, LAMP_WORDS, lampOfLetter, LAMPS, type LampName } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { causeTitle } from '../../model/words.ts'
import { Acts } from '../../parts/acts.tsx'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { FaultPanel, Loading } from '../../parts/panel.tsx'
import { Popover } from '../../parts/popover.tsx'
import { Prose } from '../../parts/text/prose.tsx'

interface Question {
  readonly id: number
  readonly domain: string
  /** One of them, or all five. */
  readonly lamp: LampName | 'all'
  readonly anchor: HTMLElement
}

export const asked = signal<Question | null>(null)

export function WhyHost() {
  const why = asked.value
  if (why === null) return null
  const label = why.lamp === 'all' ? why.domain : `${LAMP_NAMES[why.lamp]} of ${why.domain}`
  return (
    <Popover
      key={`${why.id} ${why.lamp}`}
      label={visible(label)}
      anchor={why.anchor}
      onClose={() => {
        if (asked.peek() === why) asked.value = null
      }}
    >
      <Why id={why.id} domain={why.domain} lamp={why.lamp} />
    </Popover>
  )
}

/** The component of the engine that a lamp rests on, to find the acts of its differences. */
const COMPONENTS: Readonly<Record<LampName, readonly string[]>> = {
  route: ['routes'],
  dns: ['dns'],
  certificate: ['certificates', 'certificates_file'],
  sign_in: ['sso'],
  probe: [],
}

function Why({ id, domain, lamp }: Omit<Question, 'anchor'>) {
  const words = useResource<DomainLamps>(`/api/domains/${id}/lamps`)
  const explained = useResource<ExplainedDomain>(`/api/domains/${id}/explain`).value
  if (words.value === undefined)
    return words.fault === null ? <Loading what="why" /> : <FaultPanel what="Why" fault={words.fault} />
  const shown = words.value.lamps.filter((one) => lamp === 'all' || one.lamp === lamp)
  const acts = distinctActs(
    LAMPS.filter((name) => lamp === 'all' || name === lamp).flatMap((name) => actsOf(explained, name)),
  )
  return (
    <>
      {shown.map((one) => {
        const state = lampOfLetter(one.letter)
        const seen = parseTimeOr(one.seen_at)
        return (
          <div key={one.lamp} class="why-one">
            <p class="h">
              <LampIcon lamp={state} plain />
              {LAMP_NAMES[one.lamp]}:{' '}
              {one.cause === null ? LAMP_WORDS[state] : causeTitle(one.cause).toLowerCase()}
            </p>
            <p>
              <Prose of={one.message} />
            </p>
            {seen !== null && (
              <p class="s">
                Seen <Time at={seen} ago />.
              </p>
            )}
          </div>
        )
      })}
      <div class="acts">
        <Acts acts={acts} most={2} first about={domain} />
        <a
          class="btn quiet"
          href={`${domainAddress(domain)}?tab=${lamp === 'all' || lamp === 'probe' ? '' : TABS[lamp]}`}
        >
          Explain
        </a>
      </div>
    </>
  )
}

const TABS = { route: 'route', dns: 'dns', certificate: 'certificate', sign_in: 'access' } as const

function actsOf(explained: ExplainedDomain | undefined, lamp: LampName): readonly Act[] {
  const own = (explained?.components ?? []).filter(({ component }) => COMPONENTS[lamp].includes(component))
  return own.flatMap(({ differences }) => differences.flatMap((one) => one.acts))
}
