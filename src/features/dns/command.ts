/** `plumbline dns`: the zones, the records with their owners, and taking over, giving up or taking away one of them. */
import type { integrityReport } from './integrity/integrity-result.ts'
import type { readDnsStatus } from './zones/read-status.ts'
import type { RecordsAnswer } from './records/read-records.ts'
import { settle, SETTLING } from '../../cli/settle.ts'
import { tellWarnings } from '../../cli/text/tell-warnings.ts'
import { EXIT, exitCodeOfLook } from '../../cli/exit-codes.ts'
import { type Terminal, styled, tellAs } from '../../cli/text/terminal.ts'
import { tellMessage, tellTable } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { flagOf, textOf } from '../../cli/words/given.ts'
import { type Api, answerTo, goodBody } from '../../cli/api.ts'
import { asks, withApi } from '../../cli/with-api.ts'
import { MANAGED_TYPES } from '../../model/network/dns.ts'
import { ALIASES } from './target/deciding/conflict.ts'
import type { RecordAnswer, ZonesAnswer } from './views.ts'

type DnsStatus = Awaited<ReturnType<typeof readDnsStatus>>
type DnsIntegrity = ReturnType<typeof integrityReport>

export const dns: Verb = {
  name: 'dns',
  help: 'Zones, records and whose each is; whether they have arrived.',
  notes: [
    'Exit code 3 where not all could be read; of "status" and "integrity" 2 where something is not in place.',
  ],
  forms: [
    {
      words: 'zones',
      help: 'Lists the zones of all accounts.',
      examples: [['dns zones', 'Where records can be made, and how many are ours.']],
      is_long: true,
      run: asks<ZonesAnswer>({
        request: () => ({ method: 'GET', path: '/api/dns/zones' }),
        text: tellZones,
        exit: ({ accounts }) => (accounts.some(({ ok }) => ok === false) ? EXIT.unknown : EXIT.ok),
      }),
    },
    {
      words: 'records [ZONE]',
      help: 'Lists the records that are ours, or stand where ours should, and whose each is.',
      options: {
        state: { value: 'STATE', help: 'Only such records, as foreign or orphan.' },
        others: { help: 'Shows also what else stands in the zones, which is never touched.' },
      },
      examples: [['dns records example.com --state foreign', 'What of somebody else is in the way.']],
      is_long: true,
      run: listRecords,
    },
    {
      words: 'status',
      help: 'Says whether the resolvers of the network know the hosts that are deployed.',
      examples: [['dns status', 'Whether a name leads where it should at home.']],
      is_long: true,
      run: asks<DnsStatus>({
        request: () => ({ method: 'GET', path: '/api/dns/status' }),
        text: tellStatus,
        // Without a resolver there is nothing to know.
        exit: ({ configured, ok }) => exitCodeOfLook([configured ? ok : true]),
      }),
    },
    {
      words: 'integrity',
      help: 'Shows the last comparison of provider, authoritative servers and resolvers.',
      examples: [['dns integrity', 'Whether what was written has arrived everywhere.']],
      is_long: true,
      run: asks<DnsIntegrity>({
        request: () => ({ method: 'GET', path: '/api/dns/integrity' }),
        text: tellIntegrity,
        exit: ({ ok }) => exitCodeOfLook([ok]),
      }),
    },
    {
      words: 'adopt TYPE NAME',
      help: 'Takes over a record that somebody else made, at a name that a deployed domain wants.',
      options: SETTLING,
      examples: [['dns adopt A app.example.com', 'From now on it is kept as the database says.']],
      run: settling('adopt', 'Take over'),
    },
    {
      words: 'release TYPE NAME',
      help: 'Gives up a record that is ours: it stays as it is, without our mark.',
      options: {
        ...SETTLING,
        account: { value: 'ACCOUNT', help: 'Of this account, where another one has the zone by now.' },
      },
      examples: [['dns release A app.example.com', 'From now on somebody else keeps it.']],
      run: settling('release', 'Give up'),
    },
    {
      words: 'remove TYPE NAME',
      help: 'Takes away an orphan: a record that bears our mark and that no database has or no address stands for any more.',
      options: SETTLING,
      examples: [['dns remove A old.example.com --dry-run', 'Shows what would be taken away.']],
      run: settling('remove', 'Take away'),
    },
  ],
}

function queryOf(wish: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(wish)) if (value !== undefined) query.set(name, value)
  return query.size === 0 ? '' : `?${query.toString()}`
}

function tellZones({ zones: all, accounts, homeless }: ZonesAnswer, terminal: Terminal): void {
  const rows = all.map(({ zone, account, names, owned, writable, detail }) => [
    zone,
    account,
    `${names} names`,
    `${owned} of ours`,
    writable ? '' : `read-only: ${detail ?? ''}`,
  ])
  tellTable(terminal, rows)
  for (const { account, ok, detail } of accounts)
    if (ok === false) terminal.note(styled('yellow', `unknown: ${account}: ${detail ?? ''}`))
  const are_all_known = accounts.every(({ ok }) => ok !== false)
  for (const name of homeless)
    terminal.note(
      are_all_known
        ? `${name} lies in none of them: no record is made.`
        : `${name} lies in none of those that are known: no record is made until the others are.`,
    )
}

/** As many as one page may have: each is a look at the provider. */
const PER_PAGE = '10000'

async function listRecords(context: VerbContext): Promise<number> {
  const { words, options, terminal } = context
  const others = flagOf(options, 'others')
  const path = `/api/dns/records${queryOf({
    zone: words[0],
    state: textOf(options, 'state'),
    others: others ? 'true' : undefined,
    limit: others ? PER_PAGE : undefined,
  })}`
  return withApi(context, async (api) => {
    const answer = await allPages(api, path)
    tellAs(terminal, answer, tellRecords)
    return answer.unknown.length > 0 ? EXIT.unknown : EXIT.ok
  })
}

async function allPages(api: Api, path: string): Promise<RecordsAnswer> {
  const got = await answerTo(api, { method: 'GET', path })
  const first = goodBody<RecordsAnswer & { readonly others_left: number | null }>(got)
  const next = /^<([^>]+)>; rel="next"$/.exec(got.headers['link'] ?? '')?.[1]
  if (next === undefined) return first
  const rest = await allPages(api, next)
  return {
    ...first,
    records: [...first.records, ...rest.records],
    others: [...(first.others ?? []), ...(rest.others ?? [])],
    unknown: rest.unknown.length > 0 ? rest.unknown : first.unknown,
    ...(first.others_left !== null && { others_left: 0 }),
  }
}

function tellRecords({ records: all, others, unknown, homeless }: RecordsAnswer, terminal: Terminal): void {
  const rows = all.map(({ state, type, name, observed, desired, detail }) => [
    state,
    type,
    name,
    (observed ?? desired ?? []).join(', '),
    detail ?? '',
  ])
  const beside = (others ?? []).map(({ zone, type, name, values, domain }) => [
    'other',
    type,
    name,
    values.join(', '),
    domain === null ? '' : `${isInTheWay({ zone, type, name }) ? 'in the way of' : 'beside'} ${domain}`,
  ])
  rows.push(...beside)
  tellTable(terminal, rows)
  if (rows.length === 0 && unknown.length === 0) terminal.note('No record matches.')
  for (const { detail } of unknown) terminal.note(styled('yellow', `unknown: ${detail}`))
  for (const name of homeless) terminal.note(`${name} lies in no zone of any account: no record is made.`)
}

/** Of an address at its name. Above it, at its zone's own name, stand the name servers of the zone itself. */
const isInTheWay = ({ zone, type, name }: Record<'zone' | 'type' | 'name', string>): boolean =>
  type === 'NS' ? name !== zone : IN_THE_WAY.has(type)

const IN_THE_WAY: ReadonlySet<string> = new Set([...MANAGED_TYPES, ...ALIASES])

function tellStatus({ configured, ok, reason, hosts, sources }: DnsStatus, terminal: Terminal): void {
  if (!configured) return terminal.note('No resolver is set: PLUMBLINE_RESOLVER_CONFIG says which.')
  const rows = hosts.map(({ host, status, found }) => [
    status,
    host,
    found.flatMap(({ values }) => values).join(', '),
  ])
  tellTable(terminal, rows)
  for (const { source, ok: is_read, detail } of sources)
    if (!is_read) terminal.note(styled('yellow', `unknown: ${source}: ${detail ?? ''}`))
  if (ok === null) terminal.note(styled('yellow', `unknown: ${reason ?? ''}`))
}

function tellIntegrity({ ok, reason, names, leftovers }: DnsIntegrity, terminal: Terminal): void {
  const rows = names.map(({ state, type, name, provider, detail }) => [
    state,
    type,
    name,
    [provider.join(', '), detail ?? ''].filter((part) => part !== '').join('; '),
  ])
  tellTable(terminal, rows)
  for (const { type, name, values, because } of leftovers)
    terminal.note(`left over: ${type} ${name} ${values.join(', ')} (${because.replaceAll('_', ' ')})`)
  if (reason !== null) terminal.note(styled(ok === false ? 'red' : 'yellow', reason))
}

/** What is told of a record is planned, shown and asked about, as any other change is. */
function settling(deed: 'adopt' | 'release' | 'remove', does: string) {
  return (context: VerbContext): Promise<number> => {
    const { words, options, terminal } = context
    const [type, name] = words as readonly [string, string]
    const account = textOf(options, 'account')
    const body = { type: type.toUpperCase(), name, ...(account !== undefined && { account }) }
    return withApi(context, async (api) => {
      const settled = await settle<RecordAnswer>(context, api, {
        request: { method: 'POST', path: `/api/dns/records/${deed}`, body },
        question: `${does} ${body.type} ${name}${account === undefined ? '' : ` at ${account}`}?`,
      })
      if (!settled.done) return settled.exit
      tellAs(terminal, settled.answer, tellMessage)
      tellWarnings(settled.answer.warnings, terminal)
      return EXIT.ok
    })
  }
}
