/** `plumbline dns`: the zones, the records with their owners, and taking over, giving up or taking away one of them. */
import { Misuse } from '../../cli/misuse.ts'
import type { PlannedAnswer } from '../../core/answers.ts'
import type { RecordAnswer } from './records/adopt-record.ts'
import type { RecordsAnswer } from './records/read-records.ts'
import type { ZonesAnswer } from './zones/read-zones.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { confirmed } from '../../cli/confirmed.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { styled, table, type Terminal } from '../../cli/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'
import { tellPlan } from '../../cli/tell-plan.ts'

export const dns: Verb = {
  name: 'dns',
  takes: 'zones | records [ZONE] | adopt TYPE NAME | release TYPE NAME | remove TYPE NAME',
  help: 'DNS: the zones, the records with their owners (--state foreign), taking one over, giving one up, taking an orphan away (--dry-run).',
  options: { state: { type: 'string' }, 'dry-run': { type: 'boolean' }, confirm: { type: 'string' } },
  async run(context) {
    const asked = ask(context)
    if (asked === null)
      throw new Misuse(
        'Say "dns zones", "dns records [ZONE] [--state STATE]", or "dns adopt", "dns release" or "dns remove" with "A app.example.com".',
      )
    return withApi(context, asked)
  },
}

type Asked = (api: Api) => Promise<number>

/** Null for words that ask for nothing we know. */
function ask({ words, options, terminal }: VerbContext): Asked | null {
  const [deed, first, second, ...rest] = words
  if (rest.length > 0) return null
  if (deed === 'zones' && first === undefined) return zones(terminal)
  if (deed === 'records' && second === undefined) {
    const state = options['state']
    return records(terminal, { zone: first, state: typeof state === 'string' ? state : undefined })
  }
  if (first === undefined || second === undefined) return null
  const record = { type: first.toUpperCase(), name: second }
  return isDeed(deed) ? settle({ terminal, options }, deed, record) : null
}

const DEEDS = ['adopt', 'release', 'remove'] as const
type Deed = (typeof DEEDS)[number]

const isDeed = (word: string | undefined): word is Deed => DEEDS.some((deed) => deed === word)

const zones =
  (terminal: Terminal): Asked =>
  async (api) => {
    const answer = await expectGood<ZonesAnswer>(api, { method: 'GET', path: '/api/dns/zones' })
    if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
    else tellZones(answer, terminal)
    return answer.accounts.some(({ ok }) => ok === false) ? EXIT.unknown : EXIT.ok
  }

function tellZones({ zones: all, accounts, homeless }: ZonesAnswer, terminal: Terminal): void {
  const rows = all.map(({ zone, account, names, owned, writable, detail }) => [
    zone,
    account,
    `${names} names`,
    `${owned} of ours`,
    writable ? '' : `read-only: ${detail ?? ''}`,
  ])
  for (const line of table(rows)) terminal.out(line.trimEnd())
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

const records =
  (
    terminal: Terminal,
    wish: { readonly zone: string | undefined; readonly state: string | undefined },
  ): Asked =>
  async (api) => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(wish)) if (value !== undefined) query.set(name, value)
    const path = `/api/dns/records${query.size === 0 ? '' : `?${query.toString()}`}`
    const answer = await expectGood<RecordsAnswer>(api, { method: 'GET', path })
    if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
    else tellRecords(answer, terminal)
    return answer.unknown.length > 0 ? EXIT.unknown : EXIT.ok
  }

function tellRecords({ records: all, unknown, homeless }: RecordsAnswer, terminal: Terminal): void {
  const rows = all.map(({ state, type, name, observed, desired, detail }) => [
    state,
    type,
    name,
    (observed ?? desired ?? []).join(', '),
    detail ?? '',
  ])
  for (const line of table(rows)) terminal.out(line.trimEnd())
  for (const { detail } of unknown) terminal.note(styled('yellow', `unknown: ${detail}`))
  for (const name of homeless) terminal.note(`${name} lies in no zone of any account: no record is made.`)
}

const settle =
  (
    { terminal, options }: Pick<VerbContext, 'terminal' | 'options'>,
    deed: Deed,
    body: { readonly type: string; readonly name: string },
  ): Asked =>
  async (api) => {
    const path = `/api/dns/records/${deed}`
    if (options['dry-run'] === true) return rehearsed(terminal, api, { path: `${path}?dry_run=true`, body })
    const answer = await expectGood<RecordAnswer>(api, {
      method: 'POST',
      path: confirmed(path, options),
      body,
    })
    if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
    else terminal.out(answer.message)
    for (const warning of answer.warnings) terminal.note(`warning: ${warning}`)
    return EXIT.ok
  }

async function rehearsed(
  terminal: Terminal,
  api: Api,
  { path, body }: { readonly path: string; readonly body: object },
): Promise<number> {
  const { plan } = await expectGood<PlannedAnswer>(api, { method: 'POST', path, body })
  if (terminal.json) terminal.out(JSON.stringify({ dry_run: true, plan }, null, 2))
  else {
    tellPlan(plan, terminal)
    terminal.note(`Nothing was changed. Exactly this, and nothing else: --confirm ${plan.hash}`)
  }
  return plan.complete ? EXIT.ok : EXIT.unknown
}
