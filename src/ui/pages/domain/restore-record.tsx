/** This record alone, as it stood in a release: each release says whether it was other then than it is now. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import type { Domain, Release, ReleaseDiff } from '../../api/types.ts'
import { firstOther, thenText } from '../../model/text/then-words.ts'
import { visible } from '../../model/visible.ts'
import { RestoreButton } from '../changes/releases.tsx'

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
                release {release.number}: {visible(release.reason)}
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
      {isAsNow && <p class="s q2">In release {number} it stood as it is released now.</p>}
    </>
  )
}

function markOf(then: ReadonlyMap<number, string | null>, number: number): string {
  const text = then.get(number)
  return text === undefined ? '' : text === null ? ', as now' : `, other: ${visible(text)}`
}
