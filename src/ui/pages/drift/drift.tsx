/** Drift: the worlds that are kept true, and one card a difference with its three editions and what can be done. */
import { useLayoutEffect } from 'preact/hooks'
import { queryOf, setQuery } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import type { EverythingDrift, Modes, Overview } from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { driftTotal, followsHands, isDrift, nameOf } from '../../model/text/follows.ts'
import { type Lamp, WAITING } from '../../model/lamps.ts'
import { withoutAdvice } from '../../model/verdict.ts'
import { visible } from '../../model/visible.ts'
import { causeTitle, componentWords, count } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { addKeys } from '../../parts/keys.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import { Resource } from '../../parts/panel.tsx'
import { Plumb } from '../overview/plumb.tsx'
import { DifferenceCard } from './card.tsx'
import { Ignored } from './ignored.tsx'
import { ModeChoice } from './mode.tsx'
import { Prose } from '../../parts/text/prose.tsx'

type World = EverythingDrift['components'][number]

const DRIFT = '/api/drift'

export function Drift() {
  const drift = useResource<EverythingDrift>(DRIFT)
  const modes = useResource<Modes>('/api/modes').value
  const lookAgain = () => void refresh(DRIFT)
  useLayoutEffect(() => addKeys([{ keys: 'r', label: 'Look now', run: lookAgain }]), [])
  return (
    <>
      <div class="head">
        <div>
          <h1>{drift.value === undefined ? 'Drift' : headline(drift.value.components)}</h1>
          <p class="q2 sub">
            What is there against what was released. A world is one place that is kept true, such as the
            routes file or the records at one DNS provider. What waits for a deploy is under{' '}
            <a href="/changes">Changes</a>.
          </p>
        </div>
        <div class="acts">
          {modes !== undefined && <ModeChoice modes={modes} />}
          <button type="button" class="btn" onClick={lookAgain} disabled={drift.loading}>
            {drift.loading ? 'Looking' : 'Look now'} <kbd>r</kbd>
          </button>
        </div>
      </div>
      <Resource of={drift} what="Drift" retry={lookAgain}>
        {(value) => <WorldsAndCards drift={value} />}
      </Resource>
    </>
  )
}

/** What waits for a deploy is not drift: it is linked, not listed. */
const drifting = ({ differences }: World) => differences.filter(isDrift)

function worldLamp(world: World): Lamp {
  if (world.drift === null) return 'unknown'
  if (drifting(world).length > 0) return 'drift'
  if (world.differences.some(({ cause }) => WAITING.has(cause))) return 'pending'
  return world.drift ? 'drift' : 'ok'
}

function headline(worlds: readonly World[]): string {
  const unknown = worlds.filter(({ drift }) => drift === null).length
  const { total, among } = driftTotal(worlds)
  const differs =
    total === 0 ? 'Nothing differs' : `${count(total, 'difference')} in ${count(among, 'world')}`
  if (unknown === 0) return differs
  // What could not be looked at may differ.
  const unseen = `${count(unknown, 'world')} unknown`
  return total === 0 ? unseen : `${differs}, ${unseen}`
}

function WorldsAndCards({ drift }: { readonly drift: EverythingDrift }) {
  const chosen = queryOf('world')
  const rows = useResource<Overview>('/api/overview').value?.health.components ?? []
  const worlds = drift.components
  const shown = worlds.filter(({ key }) => chosen === null || key === chosen)
  const follows = followsHands(worlds)
  const all = shown.flatMap((world) => drifting(world).map((difference) => ({ world, difference })))
  const sourceOf = ({ world, difference }: (typeof all)[number]) => follows(world.component, difference)
  const differing = all.filter((one) => sourceOf(one) === null)
  const following = all.flatMap((one) => {
    const from = sourceOf(one)
    return from === null ? [] : [{ ...one, from }]
  })
  const unknown = shown.filter((world) => world.drift === null)
  const quiet = all.length === 0 && unknown.length === 0
  return (
    <div class="split">
      <nav class="list" aria-label="Worlds">
        <button type="button" aria-current={chosen === null} onClick={() => setQuery({ world: null })}>
          <LampIcon lamp="off" plain />
          <span>All worlds</span>
        </button>
        {worlds.map((world) => (
          <WorldButton
            key={world.key}
            world={world}
            chosen={world.key === chosen}
            from={drifting(world).map((one) => follows(world.component, one))}
          />
        ))}
      </nav>
      <div>
        {unknown.map((world) => (
          <UnknownCard key={world.key} world={world} />
        ))}
        {differing.map(({ world, difference }) => (
          <DifferenceCard
            key={`${world.key} ${difference.item}`}
            difference={difference}
            component={world.component}
            seen_at={parseTime(world.observed_at)}
            row={rows.find(({ name }) => name === world.key)}
            all={drifting(world).length}
          />
        ))}
        {following.map(({ world, difference, from }) => (
          <FollowingCard
            key={`${world.key} ${difference.item}`}
            world={world}
            difference={difference}
            from={worlds.find(({ component }) => nameOf(component) === from)!.key}
          />
        ))}
        {quiet && <AllTrue worlds={shown} />}
        <Ignored />
      </div>
    </div>
  )
}

interface WorldProps {
  readonly world: World
  readonly chosen: boolean
  /** Of each difference, the world that it follows from; null for one of its own. */
  readonly from: readonly (string | null)[]
}

/** What follows from another world is counted there. */
function WorldButton({ world, chosen, from }: WorldProps) {
  const { title, detail } = componentWords(world.key)
  const lamp = worldLamp(world)
  const own = drifting(world).filter((_, at) => from[at] === null)
  const [first] = own
  const source = from.find((one) => one !== null) ?? null
  const words_drift =
    first !== undefined
      ? causeTitle(first.cause).toLowerCase()
      : source === null
        ? 'differs'
        : `follows ${componentWords(source).title}`
  const words = {
    unknown: world.reason === null ? 'not found out' : visible(world.reason),
    drift: words_drift,
    pending: 'waits for a deploy',
  }
  return (
    <button type="button" aria-current={chosen} onClick={() => setQuery({ world: world.key })}>
      <LampIcon lamp={lamp} />
      <span>
        {title} {visible(detail)}
      </span>
      <span class="n">{lamp === 'unknown' ? '?' : own.length > 0 ? own.length : ''}</span>
      <span class="s">
        {words[lamp as keyof typeof words] ?? 'as it should be'} ·{' '}
        <Time at={parseTime(world.observed_at)} ago />
      </span>
    </button>
  )
}

interface FollowingProps {
  readonly world: World
  readonly difference: World['differences'][number]
  /** Key of the world that was edited by hand. */
  readonly from: string
}

/** It is over once that world is put back, so it has no act of its own. */
function FollowingCard({ world, difference: { item, domains, detail: found }, from }: FollowingProps) {
  const { title, detail } = componentWords(world.key)
  const source = componentWords(from).title
  return (
    <article class="item box">
      <header>
        <LampIcon lamp="drift" />
        <h2>
          <b>Follows {source}</b>: {[title, visible(detail)].filter(Boolean).join(' ')},{' '}
          {visible(domains[0] ?? item)}
        </h2>
        <span class="tag off">follows</span>
        <p class="sub">
          {world.component !== 'proxy' && found !== '' && <Prose of={`${withoutAdvice(found)} `} />}
          Somebody edited {source} by hand, and this comes of it.{' '}
          <a href={`/drift?world=${encodeURIComponent(from)}`}>Put {source} back first</a>; it is looked at
          again then.
        </p>
      </header>
    </article>
  )
}

function UnknownCard({ world }: { readonly world: World }) {
  const { title, detail } = componentWords(world.key)
  return (
    <article class="item box">
      <header>
        <LampIcon lamp="unknown" />
        <h2>
          <b>Not found out</b>: {title} {visible(detail)}
        </h2>
        <span class="tag unknown">unknown</span>
        <p class="sub">
          <Prose of={world.reason ?? ''} /> Nothing is taken away meanwhile.
        </p>
      </header>
    </article>
  )
}

function AllTrue({ worlds }: { readonly worlds: readonly World[] }) {
  const oldest = Math.min(...worlds.map(({ observed_at }) => parseTime(observed_at)))
  return (
    <div class="true-all">
      <Plumb marks={0} broken={false} label="All hangs true" />
      <p>
        <b>Nothing differs.</b>
        <br />
        {worlds.length > 0 && (
          <span class="q2">
            Looked <Time at={oldest} ago />.
          </span>
        )}
      </p>
    </div>
  )
}
