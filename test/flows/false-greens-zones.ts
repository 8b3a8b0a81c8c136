/** Ways to change a zone of PowerDNS: by its API, by its tool, and in its database, past the serial. */
import type { PowerDns } from '../peers/powerdns.ts'
import { ASKED_MS, PAST_THE_SERIAL_MS, type Way } from './false-greens.ts'
import { RECORDS } from './false-greens-own.ts'
import { ZONE } from './health-peers.ts'
import type { HealthWorld } from './health-world.ts'

type Admin = NonNullable<HealthWorld['dns']['admin']>
const APP = `app.${ZONE}`
const STRANGER = '192.0.2.66'
const TABLES = ['domains', 'records', 'comments', 'domainmetadata']

interface ZoneWay {
  readonly title: string
  readonly spoil: (admin: Admin) => Promise<unknown>
  readonly within_ms?: number
  readonly must_drift?: boolean
  readonly aside?: string
}

/** Whatever is done to it, the same rows stand there again. */
function zoneWay({ title, spoil, within_ms = ASKED_MS, ...rest }: ZoneWay): Way<HealthWorld> {
  let rows: readonly string[] | null = null
  return {
    title: `zone: ${title}`,
    part: `dns:${ZONE}`,
    within_ms,
    own: RECORDS,
    must_drift: true,
    ...rest,
    async do({ dns }) {
      rows = await rowsOf(dns.admin!)
      await spoil(dns.admin!)
    },
    async undo({ dns }) {
      if (rows === null) return
      const emptied = TABLES.map((table) => `DELETE FROM ${table};`)
      await dns.admin!.sql(['BEGIN;', ...emptied, ...rows, 'COMMIT;'].join('\n'))
      rows = null
    },
  }
}

async function rowsOf({ sql }: Pick<PowerDns, 'sql'>): Promise<readonly string[]> {
  const dumped = await sql(`.dump ${TABLES.join(' ')}`)
  return dumped.split('\n').filter((line) => line.startsWith('INSERT INTO '))
}

interface Rrset {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly { readonly content: string; readonly disabled: boolean }[]
  readonly comments: readonly object[]
}

const ours = async ({ api }: Admin): Promise<Rrset> => {
  const { rrsets } = (await api('GET', `/zones/${ZONE}.`)) as { readonly rrsets: readonly Rrset[] }
  return rrsets.find(({ name, type }) => name === `${APP}.` && type === 'A')!
}

const patch = ({ api }: Admin, ...rrsets: readonly object[]) => api('PATCH', `/zones/${ZONE}.`, { rrsets })
const replace = async (admin: Admin, change: (set: Rrset) => Partial<Rrset>) => {
  const set = await ours(admin)
  return patch(admin, { ...set, changetype: 'REPLACE', ...change(set) })
}
const added = (name: string, type: string, content: string) => ({
  name: `${name}.`,
  type,
  ttl: 300,
  changetype: 'REPLACE',
  records: [{ content, disabled: false }],
})
const removed = { name: `${APP}.`, type: 'A', changetype: 'DELETE', records: [] }
const served = (content: string) => ({ content, disabled: false })

const BY_API: readonly Way<HealthWorld>[] = [
  zoneWay({
    title: 'another address',
    spoil: (admin) => replace(admin, () => ({ records: [served(STRANGER)] })),
  }),
  zoneWay({ title: 'another TTL', spoil: (admin) => replace(admin, () => ({ ttl: 60 })) }),
  zoneWay({
    title: 'a second address beside ours',
    spoil: (admin) => replace(admin, ({ records }) => ({ records: [...records, served(STRANGER)] })),
  }),
  zoneWay({ title: 'our mark taken off', spoil: (admin) => replace(admin, () => ({ comments: [] })) }),
  zoneWay({
    title: 'another address, and our mark taken off',
    spoil: (admin) => replace(admin, () => ({ records: [served(STRANGER)], comments: [] })),
  }),
  zoneWay({
    title: 'our record disabled',
    spoil: (admin) =>
      replace(admin, ({ records }) => ({ records: records.map((one) => ({ ...one, disabled: true })) })),
  }),
  zoneWay({ title: 'our record deleted', spoil: (admin) => patch(admin, removed) }),
  zoneWay({
    title: 'an alias in the place of our record',
    spoil: (admin) =>
      patch(admin, removed).then(() => patch(admin, added(APP, 'CNAME', 'stranger.example.net.'))),
  }),
  zoneWay({
    title: 'our name given to other name servers',
    spoil: (admin) => patch(admin, added(APP, 'NS', 'ns.stranger.example.net.')),
  }),
  zoneWay({
    title: 'an IPv6 address of a stranger beside ours',
    spoil: (admin) => patch(admin, added(APP, 'AAAA', '2001:db8::66')),
  }),
  zoneWay({
    title: 'an HTTPS record that leads elsewhere beside ours',
    spoil: (admin) => patch(admin, added(APP, 'HTTPS', '1 stranger.example.net. ipv4hint=192.0.2.66')),
  }),
  zoneWay({
    title: 'a record with our mark that nobody knows',
    spoil: async (admin) => {
      const { comments } = await ours(admin)
      return patch(admin, { ...added(`left.${ZONE}`, 'A', STRANGER), comments })
    },
  }),
  zoneWay({ title: 'deleted', spoil: ({ api }) => api('DELETE', `/zones/${ZONE}.`), must_drift: false }),
  zoneWay({
    title: 'deleted and made anew',
    spoil: async ({ api }) => {
      await api('DELETE', `/zones/${ZONE}.`)
      const fields = { kind: 'Native', nameservers: ['ns1.servers.test.'], soa_edit_api: 'DEFAULT' }
      return api('POST', '/zones', { name: `${ZONE}.`, ...fields })
    },
  }),
]

const bySql = (title: string, statement: string, more: Partial<ZoneWay> = {}): Way<HealthWorld> =>
  zoneWay({
    title: `past the serial: ${title}`,
    spoil: ({ sql }) => sql(statement),
    within_ms: PAST_THE_SERIAL_MS,
    ...more,
  })
const OURS = `name='${APP}' AND type='A'`
const byTool = (title: string, ...args: readonly string[]): Way<HealthWorld> =>
  zoneWay({
    title: `by pdnsutil: ${title}`,
    spoil: ({ util }) => util(...args),
    within_ms: PAST_THE_SERIAL_MS,
  })

const PAST_THE_SERIAL: readonly Way<HealthWorld>[] = [
  bySql('another address', `UPDATE records SET content='${STRANGER}' WHERE ${OURS}`),
  bySql('another TTL', `UPDATE records SET ttl=7 WHERE ${OURS}`),
  bySql('our record disabled', `UPDATE records SET disabled=1 WHERE ${OURS}`),
  bySql('our record deleted', `DELETE FROM records WHERE ${OURS}`),
  bySql('our record under another name', `UPDATE records SET name='apq.${ZONE}' WHERE ${OURS}`),
  bySql('our mark taken off', `DELETE FROM comments WHERE name='${APP}'`),
  bySql('every record deleted but the SOA', "DELETE FROM records WHERE type <> 'SOA'"),
  bySql('the zone deleted', `DELETE FROM domains WHERE name='${ZONE}'`, { must_drift: false }),
  byTool('another address', 'replace-rrset', ZONE, 'app', 'A', '300', STRANGER),
  byTool('a second address', 'add-record', ZONE, 'app', 'A', '300', STRANGER),
  byTool('our record deleted', 'delete-rrset', ZONE, 'app', 'A'),
]

export const ZONE_WAYS: readonly Way<HealthWorld>[] = [...BY_API, ...PAST_THE_SERIAL]
