/** DNS: the accounts, their zones, and the records in them: ours first, and whose the others are. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { queryOf, setQuery } from '../../address.ts'
import { invalidate, useResource } from '../../api/cache.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import type { DnsIntegrity, DnsRecords, DnsZones } from '../../api/types.ts'
import { parseTimeOr } from '../../model/ages.ts'
import {
  accountText,
  lampOfAccount,
  lampOfZone,
  RECORD_FIELDS,
  recordRows,
  recordsHeadline,
  WHOSE,
  zoneText,
  type RecordRow,
} from '../../model/kept/records.ts'
import type { LastSeen } from '../../model/table/last-seen.ts'
import { viewsOf } from '../../model/table/listing.ts'
import { visible } from '../../model/visible.ts'
import { count, number } from '../../model/words.ts'
import { usePageAct } from '../../parts/find/page-act.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import { Listing } from '../../parts/listing/listing.tsx'
import { useListKeys } from '../../parts/listing/list-keys.ts'
import { NotThere, OPEN, openPanel } from '../../parts/listing/side-panel.tsx'
import { NotSeen, useLastSeen } from '../../parts/listing/not-seen.tsx'
import { Sources } from '../../parts/listing/sources.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { Adopt } from './adopt.tsx'
import { Outside } from './outside.tsx'
import { OneRecord } from './one.tsx'
import { COLUMNS, PHONE } from './table.tsx'

const RECORDS = '/api/dns/records?others=true'
const ZONES = '/api/dns/zones'
const INTEGRITY = '/api/dns/integrity'

export function Dns() {
  const records = useResource<DnsRecords>(RECORDS)
  const zones = useResource<DnsZones>(ZONES)
  const integrity = useResource<DnsIntegrity>(INTEGRITY).value
  const found = records.value
  const now = useMemo(() => (found === undefined ? [] : recordRows(found, integrity)), [found, integrity])
  const unread = new Set((found?.unknown ?? []).map(({ zone }) => zone))
  const known = useLastSeen({
    list: 'dns',
    rows: now,
    idOf: ({ key }) => key,
    mayMiss: ({ of }) => found === undefined || unread.has(of.zone),
    at: records.fetched_at,
  })
  const { rows, before } = useMemo(() => asUnknown(known), [known])
  const adopting = useSignal(false)
  usePageAct('adopt', () => (adopting.value = mayChange.value))
  const again = () => invalidate(['/api/dns'])
  useListKeys(again, ['q', 'zone'])
  return (
    <>
      <div class="head">
        <div>
          <h1>{found === undefined ? 'DNS' : recordsHeadline(rows, found.unknown.length)}</h1>
          <p class="q2 sub">
            What stands at the providers, whose it is, and whether the name servers show it.
          </p>
        </div>
        <div class="acts">
          <button
            type="button"
            class="btn"
            disabled={!mayChange.value}
            title={whyNot.value ?? undefined}
            onClick={() => {
              adopting.value = true
            }}
          >
            Take a record over…
          </button>
          <button type="button" class="btn" onClick={again} disabled={records.loading}>
            {records.loading ? 'Looking' : 'Look now'} <kbd>r</kbd>
          </button>
        </div>
      </div>
      <Resource of={zones} what="DNS accounts" retry={again}>
        {({ accounts, zones: own }) => (
          <Sources
            label="DNS accounts"
            of={accounts.map((account) => ({
              key: account.account,
              title: account.account,
              lamp: lampOfAccount(account),
              text: accountText(account, own.filter((zone) => zone.account === account.account).length),
              seen_at: parseTimeOr(account.listed_at),
            }))}
          />
        )}
      </Resource>
      <Resource of={records} what="DNS records" retry={again}>
        {(value) => (
          <>
            <NotSeen before={before} one="record" />
            <Listed found={value} rows={rows} zones={zones.value?.zones ?? []} />
            <Outside without_zone={value['homeless']} integrity={integrity} />
          </>
        )}
      </Resource>
      {adopting.value && (
        <Adopt
          onClose={() => {
            adopting.value = false
          }}
        />
      )}
    </>
  )
}

interface ListedProps {
  readonly found: DnsRecords
  readonly rows: readonly RecordRow[]
  readonly zones: DnsZones['zones']
}

function Listed({ found, rows, zones }: ListedProps) {
  const zone = queryOf('zone')
  const inZone = useMemo(
    () => (zone === null ? rows : rows.filter(({ of }) => of.zone === zone)),
    [rows, zone],
  )
  const open = rows.find(({ key }) => key === queryOf(OPEN))
  return (
    <div class="split">
      <ZoneList zones={zones} rows={rows} unread={found.unknown.map((one) => one.zone)} />
      <div>
        {found.unknown.map((one) => (
          <p key={one.zone} class="why c-unknown">
            <LampIcon lamp="unknown" plain />
            <span>
              <b>Not found out: {visible(one.zone)}.</b> {visible(one.detail)} Nothing is taken away
              meanwhile.
            </span>
          </p>
        ))}
        {(found.others_left ?? 0) > 0 && (
          <p class="q2">
            {count(found.others_left ?? 0, 'more record')} of others {found.others_left === 1 ? 'is' : 'are'}{' '}
            not listed here: <code>plumbline dns records --others</code> lists all.
          </p>
        )}
        {inZone.length > 0 ? (
          <Listing
            rows={inZone}
            idOf={({ key }) => key}
            one="record"
            columns={COLUMNS}
            phone={PHONE}
            first="whose"
            lampOf={({ lamp }) => lamp}
            dimmed={({ whose }) => whose === 'others'}
            fields={RECORD_FIELDS}
            hint="name, value, domain, type:a is:wrong"
            views={VIEWS}
            isWhole={found.unknown.length === 0}
            onOpen={({ key }) => openPanel(key)}
          />
        ) : rows.length > 0 ? (
          <Empty title="No record in that zone.">
            <button type="button" class="btn" onClick={() => setQuery({ zone: null })}>
              All zones
            </button>
          </Empty>
        ) : (
          found.unknown.length === 0 && (
            <Empty title="No record yet." mark>
              <p class="q2">The first public name that is deployed in one of the zones brings one.</p>
            </Empty>
          )
        )}
      </div>
      <NotThere one="record" of={open} />
      {open !== undefined && <OneRecord row={open} />}
    </div>
  )
}

/** What it was when it was seen is not what it is. */
const asUnknown = ({ rows, before }: LastSeen<RecordRow>): LastSeen<RecordRow> => ({
  rows: rows.map((row) => (before.has(row.key) ? { ...row, lamp: 'unknown' } : row)),
  before,
})

const VIEWS = viewsOf(WHOSE)

interface ZoneListProps {
  readonly zones: DnsZones['zones']
  readonly rows: readonly RecordRow[]
  readonly unread: readonly string[]
}

function ZoneList({ zones, rows, unread }: ZoneListProps) {
  const chosen = queryOf('zone')
  const unknown = new Set(unread)
  return (
    <nav class="list" aria-label="Zones">
      <button type="button" aria-current={chosen === null} onClick={() => setQuery({ zone: null })}>
        <LampIcon lamp="off" plain />
        <span>All zones</span>
      </button>
      {zones.map((zone) => (
        <button
          key={`${zone.account} ${zone.zone}`}
          type="button"
          aria-current={zone.zone === chosen}
          onClick={() => setQuery({ zone: zone.zone })}
        >
          <LampIcon lamp={lampOfZone(zone, rows, unknown)} />
          <span>{visible(zone.zone)}</span>
          <span class="n">{zone.owned > 0 ? number(zone.owned) : ''}</span>
          <span class="s">
            {visible(zone.account)} · {zoneText(zone)}
            {zone.detail !== null && `: ${visible(zone.detail)}`}
          </span>
        </button>
      ))}
    </nav>
  )
}
