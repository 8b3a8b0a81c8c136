/** `plumbline certificates`: all of them with their state, and obtaining what is due. */
import type { CertificatesAnswer } from './managed/read-certificates.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { type Terminal, shortTime, styled, tellAs, tellJson } from '../../cli/text/terminal.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { rehearsedExit } from '../../cli/settle.ts'
import { tellCautions } from '../../cli/text/tell-plan.ts'
import { flagOf } from '../../cli/words/given.ts'
import { domainId } from '../../cli/find-domain.ts'
import { tellPlain } from '../../cli/text/tell-plain.ts'
import { asks, withApi } from '../../cli/with-api.ts'
import type { TlsAnswer, TlsPlanned } from './managed/views.ts'

export const certificates: Verb = {
  name: 'certificates',
  help: 'Lists certificates, ours and the proxy’s, and obtains what is due.',
  forms: [
    {
      words: '',
      help: 'Lists all certificates: how long each lasts, who uses it, and when it is tried next.',
      examples: [['certificates', 'Lists them all. Exit code 3 where not all could be read.']],
      is_long: true,
      run: (context) => withApi(context, (api) => list(api, context.terminal)),
    },
    {
      words: 'show DOMAIN',
      help: 'Shows the certificate of a domain: what is served by a handshake, and what is stored.',
      examples: [['certificates show app.example.com', 'Why a browser complains.']],
      run: (context) => withApi(context, (api) => show(api, context)),
    },
    {
      words: 'proxy',
      help: 'Shows what the proxy’s own certificate store holds.',
      examples: [['certificates proxy', 'Which resolvers it has, and what they obtained.']],
      is_long: true,
      run: asks<object>({ request: () => ({ method: 'GET', path: '/api/acme/status' }), text: tellPlain }),
    },
    {
      words: 'reconcile',
      help: 'Obtains and renews what is due, now.',
      options: {
        'dry-run': { help: 'Shows what would be done and does nothing.' },
        retry: { help: 'Also tries what waits after a failure.' },
      },
      examples: [['certificates reconcile --dry-run', 'Shows what is due.']],
      run: (context) => {
        const { terminal, options } = context
        const asked = { dry_run: flagOf(options, 'dry-run'), retry: flagOf(options, 'retry') }
        return withApi(context, (api) => reconcile(api, terminal, asked))
      },
    },
  ],
}

interface Served {
  readonly served: object | null
  readonly stored: object | null
  readonly manager: object | null
}

/** Where there is none at all, whether anybody obtains one. */
async function show(api: Api, { words, terminal }: VerbContext): Promise<number> {
  const path = `/api/domains/${await domainId(api, words[0]!)}/cert`
  const found = await expectGood<Served>(api, { method: 'GET', path })
  const is_absent = found.served === null && found.stored === null && found.manager === null
  if (!terminal.json && is_absent) {
    // The cause goes before what follows from it.
    const all = await expectGood<CertificatesAnswer>(api, { method: 'GET', path: '/api/certificates' })
    if (!all.manager.configured) terminal.note(NONE_OBTAINED)
  }
  tellAs(terminal, found, tellPlain)
  return EXIT.ok
}

const NONE_OBTAINED = 'None are obtained here: PLUMBLINE_ACME_DIRECTORY is not set.'

async function list(api: Api, terminal: Terminal): Promise<number> {
  const answer = await expectGood<CertificatesAnswer>(api, { method: 'GET', path: '/api/certificates' })
  if (terminal.json) tellJson(terminal, answer)
  else tell(answer, terminal)
  const is_known = answer.manager.detail === null && answer.wire.detail === null
  return is_known ? EXIT.ok : EXIT.unknown
}

function tell(
  { certificates: all, manager, store, counts, wire, differences }: CertificatesAnswer,
  terminal: Terminal,
): void {
  tellTable(terminal, all.map(cellsOf))
  for (const { name, order_step, last_error } of all) {
    if (order_step !== null) terminal.note(`${name}: an order is under way (${order_step}).`)
    if (last_error !== null) terminal.note(styled('yellow', `${name}: ${last_error}`))
  }
  for (const { cause, item, detail } of differences)
    if (cause === 'not_served') terminal.note(styled('yellow', `${item} is not served its own: ${detail}`))
  if (wire.detail !== null) terminal.note(styled('yellow', `what is served is not known: ${wire.detail}`))
  terminal.note(countsWords(counts))
  if (!manager.configured) terminal.note(NONE_OBTAINED)
  if (manager.detail !== null) terminal.note(styled('yellow', `unknown: ${manager.detail}`))
  if (store.detail !== null) terminal.note(styled('yellow', store.detail))
}

function cellsOf(one: CertificatesAnswer['certificates'][number]): readonly string[] {
  const { state, names, certificate, source, resolver, domains, next_attempt_at } = one
  return [
    state,
    names.join(', '),
    certificate === null ? '' : `to ${shortTime(certificate.not_after)}`,
    source === 'manager' ? 'ours' : `proxy (${resolver})`,
    domains.length === 0 ? 'used by nobody' : `used by ${domains.map(({ domain }) => domain).join(', ')}`,
    next_attempt_at === null ? '' : `next ${shortTime(next_attempt_at)}`,
  ]
}

function countsWords(counts: CertificatesAnswer['counts']): string {
  const found = Object.entries(counts).filter(([, count]) => count > 0)
  return found.length === 0
    ? 'No certificates.'
    : found.map(([state, count]) => `${count} ${state}`).join(', ')
}

async function reconcile(
  api: Api,
  terminal: Terminal,
  asked: { readonly dry_run: boolean; readonly retry: boolean },
): Promise<number> {
  const query = Object.entries(asked).flatMap(([name, wanted]) => (wanted ? [`${name}=true`] : []))
  const path = `/api/tls/reconcile${query.length === 0 ? '' : `?${query.join('&')}`}`
  const answer = await expectGood<TlsAnswer | TlsPlanned>(api, { method: 'POST', path })
  if (terminal.json) tellJson(terminal, answer)
  else if ('dry_run' in answer) tellPlans(answer, terminal)
  else tellResults(answer, terminal)
  if ('dry_run' in answer) return Math.max(rehearsedExit(answer.plan), rehearsedExit(answer.file_plan))
  return answer.success ? EXIT.ok : EXIT.failed
}

function tellPlans({ plan, file_plan }: TlsPlanned, terminal: Terminal): void {
  const actions = [...plan.actions, ...file_plan.actions]
  for (const { verb, item, after } of actions)
    tellProse(terminal, `${verb} ${item}${after === null ? '' : `: ${after}`}`)
  for (const one of [plan, file_plan]) tellCautions(one, terminal)
  if (actions.length === 0) terminal.note('Nothing to do.')
}

function tellResults({ results, file, message }: TlsAnswer, terminal: Terminal): void {
  const rows = results.map(({ name, outcome, not_after }) => [
    outcome ?? 'unknown',
    name,
    not_after === null ? 'none' : `to ${shortTime(not_after)}`,
  ])
  tellTable(terminal, rows)
  for (const { message: failure } of results) if (failure !== null) terminal.note(styled('yellow', failure))
  if (file !== null && file.message !== null) terminal.note(styled('yellow', file.message))
  terminal.note(message)
}
