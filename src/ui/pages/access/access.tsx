/** Access: two questions first, then what is open to all, what was taken out, and where the rules differ. */
import { useMemo } from 'preact/hooks'
import { queryOf } from '../../address.ts'
import { invalidate, useResource } from '../../api/cache.ts'
import type { Access as Answer, Domain, SsoDrift, User } from '../../api/types.ts'
import {
  accessFaults,
  accessHeadline,
  accessNotes,
  accessRows,
  accessSources,
  internalOf,
  openCounts,
  uncheckedRest,
} from '../../model/kept/access.ts'
import { unprovenOf } from '../../model/kept/unproven.ts'
import { useListKeys } from '../../parts/listing/list-keys.ts'
import { Sources } from '../../parts/listing/sources.tsx'
import { Resource } from '../../parts/panel.tsx'
import { Faults } from './faults.tsx'
import { Middlewares } from './middlewares.tsx'
import { Everybody } from './everybody.tsx'
import { OpenToAll } from './open-to-all.tsx'
import { Quarantine } from './quarantine.tsx'
import { Questions } from './questions.tsx'

const ANYBODY = '/api/access'
const DRIFT = '/api/sso/drift'
const USERS = '/api/users'
const NO_DOMAINS: readonly Domain[] = []
const NOBODY: readonly User[] = []

export function Access() {
  const anybody = useResource<Answer>(ANYBODY)
  const drift = useResource<SsoDrift>(DRIFT)
  const found = anybody.value
  const domains = useResource<readonly Domain[]>('/api/domains').value ?? NO_DOMAINS
  const open = useMemo(
    () =>
      found === undefined
        ? []
        : accessRows(found, internalOf(domains)).filter(({ of }) => of.can_open === true),
    [found, domains],
  )
  const users = useResource<readonly User[]>(USERS).value ?? NOBODY
  const unproven = useMemo(() => unprovenOf(drift.value, users), [drift.value, users])
  const again = () => invalidate([ANYBODY, DRIFT, USERS])
  useListKeys(again, ['q', 'user', 'host'])
  return (
    <>
      <div class="head">
        <div>
          <h1>
            {drift.value === undefined || found === undefined
              ? 'Access'
              : accessHeadline(drift.value, openCounts(open), unproven)}
          </h1>
          <p class="q2 sub">Who can open what, by the rules and the groups that the sign-in provider has.</p>
        </div>
        <div class="acts">
          <button type="button" class="btn" onClick={again} disabled={drift.loading}>
            {drift.loading ? 'Looking' : 'Look now'} <kbd>r</kbd>
          </button>
        </div>
      </div>
      <Questions unproven={unproven} />
      <Sources label="Where the answers come from" of={accessSources(found, drift.value, unproven)} />
      <Resource of={drift} what="The sign-in rules" retry={again}>
        {(value) => (
          <>
            <Quarantine of={value.quarantine} />
            <Faults faults={accessFaults(value)} unknown={value.unknown} unchecked={uncheckedRest(value)} />
          </>
        )}
      </Resource>
      <Resource of={anybody} what="What is open to all" retry={again}>
        {(value) => (
          <OpenToAll
            rows={open}
            counts={openCounts(open)}
            notes={accessNotes(value)}
            all={value.entries.length}
            unproven={unproven.domains.size}
          />
        )}
      </Resource>
      <Middlewares />
      {queryOf('host') === null && queryOf('user') === null && <Everybody unproven={unproven} />}
    </>
  )
}
