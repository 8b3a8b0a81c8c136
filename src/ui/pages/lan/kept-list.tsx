/** A list of the network companion: what could not be read is said before it, and an empty one only where it was read. */
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { refresh, useResource } from '../../api/cache.ts'
import type { Devices } from '../../api/companions/network.ts'
import type { Lamp } from '../../model/lamps.ts'
import { whole } from '../../model/looked-at/whole.ts'
import { Gaps } from '../../parts/listing/gaps.tsx'
import type { ListingProps } from '../../parts/listing/column.ts'
import { FactsDialog, type Fact } from '../../parts/listing/facts.tsx'
import { Listing } from '../../parts/listing/listing.tsx'
import type { LastSeen } from '../../model/table/last-seen.ts'
import { NotSeen, useLastSeen } from '../../parts/listing/not-seen.tsx'
import { NotThere, useOpened } from '../../parts/listing/side-panel.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

interface Answer<R> extends Pick<Devices, 'complete' | 'sources'> {
  readonly data: readonly R[]
}

interface OfSite {
  readonly controller: string
  readonly site: string
  readonly _id: string | null
  readonly name: string | null
}

export interface NetworkList<R> extends Pick<ListingProps<R>, 'columns' | 'fields' | 'hint' | 'one'> {
  readonly path: string
  /** "The devices": what could not be loaded. */
  readonly what: string
  readonly none: string
  readonly lampOf?: (row: R) => Lamp
  /** Where it has no name. */
  readonly otherName?: (row: R) => string | null
  readonly factsOf: (row: R) => readonly Fact[]
  readonly more?: (row: R) => ComponentChildren
}

const NONE: readonly never[] = []

const idOf = ({ controller, site, _id, name }: OfSite): string =>
  `${controller} ${site} ${_id ?? ''} ${name ?? ''}`

/** Read through, once an answer. */
function ListOf<R extends OfSite>({ rows, of, before, isWhole, onOpen }: RowsProps<R>) {
  const { one, columns, fields, hint, lampOf } = of
  const all = useMemo(() => rows.map((row) => whole(row) as unknown as R), [rows])
  return (
    <Listing
      rows={all}
      idOf={idOf}
      one={one}
      columns={columns}
      isWhole={isWhole}
      {...(lampOf && { lampOf: (row: R) => (before.has(idOf(row)) ? 'unknown' : lampOf(row)) })}
      dimmed={(row) => before.has(idOf(row))}
      fields={fields}
      hint={hint}
      onOpen={onOpen}
    />
  )
}

interface RowsProps<R> {
  readonly rows: readonly R[]
  readonly of: NetworkList<R>
  readonly before: LastSeen<R>['before']
  readonly isWhole: boolean
  readonly onOpen: (row: R) => void
}

export function KeptList<R extends OfSite>({ of }: { readonly of: NetworkList<R> }) {
  const { path, what, none, one, lampOf, otherName, factsOf, more } = of
  const answer = useResource<Answer<R>>(path)
  const isWhole = answer.value === undefined || answer.value.complete === true
  const { rows, before } = useLastSeen<R>({
    list: path,
    rows: answer.value?.data ?? NONE,
    idOf,
    mayMiss: () => !isWhole || answer.value === undefined,
    at: answer.fetched_at,
  })
  const open = useOpened()
  const found = useMemo(() => rows.find((one) => idOf(one) === open.value), [rows, open.value])
  const shown = useMemo(() => (found === undefined ? undefined : (whole(found) as unknown as R)), [found])
  return (
    <Resource of={answer} what={what} retry={() => void refresh(path)}>
      {({ sources }) => (
        <>
          <Gaps of={sources} />
          <NotSeen before={before} one={one} />
          {rows.length === 0 ? (
            <Empty title={isWhole ? none : 'None was found, and not everything could be seen.'} />
          ) : (
            <ListOf
              rows={rows}
              of={of}
              before={before}
              isWhole={isWhole}
              onOpen={(row) => {
                open.value = idOf(row)
              }}
            />
          )}
          <NotThere one={one} of={shown} />
          {shown !== undefined && (
            <FactsDialog
              title={shown.name ?? otherName?.(shown) ?? one}
              {...(lampOf && { lamp: lampOf(shown) })}
              facts={[...factsOf(shown), ['Site', `${shown.site} at ${shown.controller}`]]}
              onClose={() => {
                open.value = null
              }}
            >
              {more?.(shown)}
            </FactsDialog>
          )}
        </>
      )}
    </Resource>
  )
}
