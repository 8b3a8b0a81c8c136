/** Saved, released, there: the fields that moved, with the sign between the editions. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useResource } from '../../api/cache.ts'
import type { Domain, DomainEditions, ExplainedDomain } from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { isSavedReleased, noneMoved } from '../../model/text/edition-words.ts'
import { visible } from '../../model/visible.ts'
import { actorName, fieldName, fieldValue } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { Breaking } from '../../parts/name.tsx'

/** Fields of an answer that are no setting of a record. */
const NOT_FIELDS = new Set(
  'id domain_unicode status_reason auth_applies backend_warning external_ip external_port revision created_at updated_at activated_at'.split(
    ' ',
  ),
)

interface Props {
  readonly record: Domain
  readonly explained: ExplainedDomain
  readonly all: Signal<boolean>
}

export function Editions({ record, explained, all }: Props) {
  const editions = useResource<DomainEditions>(`/api/domains/${record.id}/editions`).value
  const routes = explained.components.find(({ component }) => component === 'routes')
  const fields = Object.keys(record).filter((field) => !NOT_FIELDS.has(field))
  const moved = editions?.moved ?? []
  const shown = all.value ? fields : moved
  return (
    <section aria-labelledby="e">
      <h2 class="t" id="e">
        Three editions{' '}
        <button
          type="button"
          class="btn quiet more"
          onClick={() => {
            all.value = !all.value
          }}
        >
          {all.value ? 'only what moved' : `show all ${fields.length} fields`}
        </button>
      </h2>
      <div class="three box-top">
        <span class="h" />
        <span class="h">
          <b>Saved</b>
          {explained.saved !== null && (
            <>
              <Time at={parseTime(explained.saved.at)} ago /> by {visible(actorName(explained.saved.actor))}
            </>
          )}
        </span>
        <Sign same={isSavedReleased(explained)}>
          <b>Released</b>
          {explained.released === null ? 'never' : `release ${explained.released.release}`}
        </Sign>
        <Sign
          same={explained.released !== null && thereText(routes) === 'released'}
          unknown={thereText(routes) === 'unknown'}
        >
          <b>There</b>
          {routes === undefined ? (
            'not rendered'
          ) : (
            <>
              seen <Time at={parseTime(routes.observed_at)} ago />
            </>
          )}
        </Sign>
        {shown.map((field) => (
          <FieldRow
            key={field}
            field={field}
            record={record}
            released={editions?.released ?? null}
            moved={moved.some((one) => one === field)}
            there={thereText(routes)}
          />
        ))}
      </div>
      {shown.length === 0 && <p class="q2 gap">{noneMoved(explained, thereText(routes))}</p>}
    </section>
  )
}

interface SignProps {
  readonly same: boolean
  readonly unknown?: boolean
  readonly children: ComponentChildren
}

const Sign = ({ same, unknown = false, children }: SignProps) => (
  <span class={same && !unknown ? 'h sign same' : 'h sign'} data-sign={unknown ? '?' : same ? '=' : '≠'}>
    {children}
  </span>
)

/** What is out there is compared as rendered lines, not field by field. */
function thereText(
  routes: ExplainedDomain['components'][number] | undefined,
): 'released' | 'differs' | 'unknown' {
  if (routes === undefined || routes.agrees === null) return 'unknown'
  return routes.differences.some(({ cause, noise }) => !noise && cause !== 'pending_deploy')
    ? 'differs'
    : 'released'
}

interface RowProps {
  readonly field: string
  readonly record: Domain
  readonly released: Readonly<Record<string, unknown>> | null
  readonly moved: boolean
  readonly there: 'released' | 'differs' | 'unknown'
}

function FieldRow({ field, record, released, moved, there }: RowProps) {
  const saved = fieldValue(field, record[field as keyof Domain])
  const last = released === null || !(field in released) ? null : fieldValue(field, released[field])
  return (
    <>
      <span class="q">{fieldName(field)}</span>
      <span class={moved ? 'moved' : ''}>
        {moved ? (
          <span class="mark">
            <Breaking of={visible(saved)} />
          </span>
        ) : (
          <Breaking of={visible(saved)} />
        )}
      </span>
      <span>{last === null ? <span class="q">never</span> : <Breaking of={visible(last)} />}</span>
      <span>
        {there === 'released' && last !== null ? (
          <Breaking of={visible(last)} />
        ) : (
          <span class="q">{there === 'differs' ? 'see below' : 'unknown'}</span>
        )}
      </span>
    </>
  )
}
