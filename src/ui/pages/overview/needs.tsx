/** What needs somebody: the most severe first, each with at most two acts. */
import { useEffect } from 'preact/hooks'
import { domainAddress } from '../../address.ts'
import { distinctActs } from '../../api/acts.ts'
import { refresh, useResource } from '../../api/cache.ts'
import type { ControlPlaneHealth, Discovery, HealthComponent, Notifications } from '../../api/types.ts'
import { withNothing } from '../../model/looked-at/nothing.ts'
import { pageOf } from '../../model/text/page-words.ts'
import { needsOf, type Need } from '../../model/verdict.ts'
import { capital, componentWords, count } from '../../model/words.ts'
import { Acts } from '../../parts/acts.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Prose } from '../../parts/text/prose.tsx'

interface Props {
  readonly health: ControlPlaneHealth
  readonly open: Notifications['open']
  readonly pending: number
}

export function Needs({ health, open, pending }: Props) {
  const { found, gap } = useDiscovered(health.components)
  const needs = withNothing(needsOf(open, health.components), found)
  const total = needs.length + (pending > 0 ? 1 : 0)
  if (total === 0) return <p class="q2 flush">{gap ?? 'Nothing needs you.'}</p>
  return (
    <section aria-labelledby="n">
      <h2 class="t" id="n">
        Needs you <span class="q s">{total}</span>
      </h2>
      <ul class="needs">
        {needs.map((need) => (
          <NeedRow key={need.id} need={need} />
        ))}
        {pending > 0 && (
          <li>
            <LampIcon lamp="pending" />
            <div>
              <h3>
                {capital(count(pending, 'domain'))} {pending === 1 ? 'is' : 'are'} saved and not deployed
              </h3>
              <p>What runs is what was released.</p>
            </div>
            <div class="acts">
              <a class="btn" href="/changes">
                Plan {pending}
              </a>
            </div>
          </li>
        )}
      </ul>
    </section>
  )
}

const DISCOVER = '/api/discover'
const SOURCES: ReadonlySet<string> = new Set(['docker', 'proxmox', 'unifi'])
/** As often as the daemon itself looks at its sources. */
const DISCOVER_EVERY_MS = 60_000

/** What Discover lists, asked for behind the first paint and where something tells of it. */
function useDiscovered(components: readonly HealthComponent[]) {
  const isSet = components.some(({ component, configured }) => configured && SOURCES.has(component))
  const { value: found, fault } = useResource<Discovery>(isSet ? DISCOVER : '')
  useEffect(() => {
    if (!isSet) return undefined
    const timer = setInterval(() => {
      if (!document.hidden) void refresh(DISCOVER)
    }, DISCOVER_EVERY_MS)
    return () => clearInterval(timer)
  }, [isSet])
  const gap = fault === null ? 'Asking Discover.' : 'Nothing else needs you; Discover did not answer.'
  return { found, gap: isSet && found === undefined ? gap : null }
}

const MAX_ACTS = 2

/** What the API offers first; a link to where it is explained takes the place that is left. */
function NeedRow({ need: { lamp, title, text, domains, component, acts } }: { readonly need: Need }) {
  const { title: name, detail } = componentWords(component)
  const [only] = domains
  const page = pageOf(component)
  const offered = distinctActs(acts).slice(0, page === null ? MAX_ACTS : MAX_ACTS - 1)
  const refused = new Set(offered.flatMap(({ why_not }) => (why_not === null ? [] : [why_not])))
  return (
    <li>
      <LampIcon lamp={lamp} />
      <div>
        <h3>{title === '' ? `${name} ${detail}` : <Prose of={title} />}</h3>
        <p>
          <Prose of={text} />
        </p>
        {[...refused].map((why) => (
          <p key={why} class="s q2">
            <Prose of={why} />
          </p>
        ))}
      </div>
      <div class="acts">
        <Acts acts={offered} most={MAX_ACTS} about={domains.length === 1 ? only : undefined} />
        {offered.length < MAX_ACTS &&
          component !== '' &&
          (page === null && domains.length === 1 && only !== undefined ? (
            <a class="btn" href={domainAddress(only)}>
              Why
            </a>
          ) : (
            <a class="btn" href={page?.address ?? '/drift'}>
              {page?.title ?? 'Compare'}
            </a>
          ))}
      </div>
    </li>
  )
}
