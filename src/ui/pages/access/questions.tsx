/** "Who can open …?" and "What can … open?": both at once ask of one person and one domain. */
import { useMemo } from 'preact/hooks'
import { queryOf, setQuery } from '../../address.ts'
import { useResource } from '../../api/cache.ts'
import type { Access, Domain, User } from '../../api/types.ts'
import { accessNotes, accessRows, internalOf } from '../../model/kept/access.ts'
import type { Unproven } from '../../model/kept/unproven.ts'
import { visible } from '../../model/visible.ts'
import { Field } from '../../parts/field.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { useSettled } from '../../parts/settled.ts'
import { AccessList } from './table.tsx'

const NO_DOMAINS: readonly Domain[] = []

export function Questions({ unproven }: { readonly unproven: Unproven }) {
  const host = queryOf('host') ?? ''
  const user = queryOf('user') ?? ''
  const domains = useResource<readonly Domain[]>('/api/domains').value ?? NO_DOMAINS
  const users = useResource<readonly User[]>('/api/users').value ?? []
  return (
    <section aria-label="Questions">
      <div class="fields">
        <Field
          label="Who can open …?"
          value={host}
          placeholder="photos.home.example"
          list={domains.map(({ domain }) => domain)}
          onInput={(value) => setQuery({ host: value })}
        />
        <Field
          label="What can … open?"
          value={user}
          placeholder="a user name"
          list={users.map(({ username }) => username)}
          onInput={(value) => setQuery({ user: value })}
        />
      </div>
      {(host !== '' || user !== '') && (
        <Answered host={host.trim()} user={user.trim()} domains={domains} unproven={unproven} />
      )}
    </section>
  )
}

interface QuestionProps {
  readonly host: string
  readonly user: string
  readonly domains: readonly Domain[]
  readonly unproven: Unproven
}

/** Asked for once nobody types any more. */
function Answered({ host, user, ...known }: QuestionProps) {
  const words = new URLSearchParams()
  if (host !== '') words.set('host', host)
  if (user !== '') words.set('user', user)
  const asked = `/api/access?${words.toString()}`
  const settled = useSettled(asked)
  const answer = useResource<Access>(settled === asked ? asked : '')
  if (settled !== asked) return <p class="q2 gap">…</p>
  return (
    <Resource of={answer} what="The answer">
      {(value) => <Answers of={value} {...known} />}
    </Resource>
  )
}

type AnswersProps = Pick<QuestionProps, 'domains' | 'unproven'> & { readonly of: Access }

function Answers({ of, domains, unproven }: AnswersProps) {
  const rows = useMemo(() => accessRows(of, internalOf(domains), unproven), [of, domains, unproven])
  return (
    <div class="gap">
      {accessNotes(of).map((note) => (
        <p key={note} class="s c-unknown">
          {visible(note)}
        </p>
      ))}
      {rows.length === 0 ? <Empty title="No domain that is deployed." /> : <AccessList rows={rows} />}
    </div>
  )
}
