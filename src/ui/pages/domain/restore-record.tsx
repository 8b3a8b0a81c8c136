/** This record alone, as it stood in a release: each release says whether it was other then than it is now. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import type { Domain, Release, ReleaseDiff } from '../../api/types.ts'
import { releaseWords } from '../../model/text/release-words.ts'
import { firstOther, movedBy, thenText } from '../../model/text/then-words.ts'
import { parseTime } from '../../model/ages.ts'
import { visible } from '../../model/visible.ts'
import { actorName } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { RestoreButton } from '../../parts/change/restore-button.tsx'

const RELEASES = '/api/releases?limit=50'

export const useReleases = (): readonly Release[] => useResource<readonly Release[]>(RELEASES).value ?? []

/** So many releases are compared at most, one after the other. */
const MAX_COMPARED = 20

const compareAddress = (domain: string, chosen: number, present: number): string => {
  const two = chosen === present ? '' : `&a=${chosen}&b=${present}`
  return `/changes?part=releases&domain=${encodeURIComponent(domain)}${two}`
}

/** By number of the release, how the record stood in it against the present one; it grows while they are compared. */
function useThen(releases: readonly Release[], id: number): ReadonlyMap<number, string | null> {
  const then = useSignal<ReadonlyMap<number, string | null>>(new Map())
  const present = releases[0]?.number
  useEffect(() => {
    let current = true
    then.value = new Map()
    const compare = async () => {
      for (const { number } of releases.slice(1, MAX_COMPARED + 1)) {
        const answer = await call<ReleaseDiff>({ path: `/api/releases/${present}/diff?against=${number}` })
        if (!current || !answer.ok) return
        then.value = new Map([...then.value, [number, thenText(answer.body, id)]])
      }
    }
    void compare()
    return () => {
      current = false
    }
  }, [present, id])
  return then.value
}

export function RestoreRecord({ record: { id, domain } }: { readonly record: Domain }) {
  const releases = useReleases()
  const then = useThen(releases, id)
  const chosen = useSignal('')
  if (releases.length === 0) return null
  const present = releases[0]!.number
  // The present one is where it stands already.
  const first = firstOther(then) ?? (releases[1] ?? releases[0]!).number
  const number = Number(chosen.value === '' ? first : chosen.value)
  const isAsNow = number !== present && then.get(number) === null
  return (
    <>
      <p class="acts flush">
        <label class="input">
          <span class="q">As it stood in</span>
          <select
            value={String(number)}
            onChange={(event) => {
              chosen.value = event.currentTarget.value
            }}
          >
            {releases.map((release) => (
              <option key={release.number} value={release.number}>
                release {release.number}: {visible(releaseWords(release.reason))}
                {release.number === present ? ', the present one' : markOf(then, release.number)}
              </option>
            ))}
          </select>
        </label>
        <RestoreButton number={number} record={{ domain_id: id, domain }} />
        <a class="btn quiet" href={compareAddress(domain, number, present)}>
          Compare {number === present ? 'releases' : 'with the present one'}
        </a>
      </p>
      <ThatMovedIt releases={releases} then={then} />
      {isAsNow && <p class="s q2">In release {number} it stood as it is released now.</p>}
    </>
  )
}

interface MovedProps {
  readonly releases: readonly Release[]
  readonly then: ReadonlyMap<number, string | null>
}

/** A deploy of all that was saved names no domain in the trail: what it moved is told by its release. */
function ThatMovedIt({ releases, then }: MovedProps) {
  const moved = movedBy(
    releases.map(({ number }) => number),
    then,
  )
  if (moved.length === 0) return null
  const byNumber = new Map(releases.map((one) => [one.number, one]))
  return (
    <section aria-labelledby="moved-it">
      <h2 class="t" id="moved-it">
        Releases that moved it
      </h2>
      <ul class="flush">
        {moved.map(({ number, against, before }) => (
          <li key={number} class="s">
            <a href={`/changes?part=releases&a=${against}&b=${number}`}>release {number}</a>{' '}
            <Time at={parseTime(byNumber.get(number)!.created_at)} ago />, by{' '}
            {visible(actorName(byNumber.get(number)!.actor))}. Before: {visible(before)}.
          </li>
        ))}
      </ul>
    </section>
  )
}

function markOf(then: ReadonlyMap<number, string | null>, number: number): string {
  const text = then.get(number)
  return text === undefined ? '' : text === null ? ', as now' : `, other: ${visible(text)}`
}
