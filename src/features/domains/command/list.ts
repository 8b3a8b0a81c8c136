/** `plumbline domains`: the records in a table, with what is known of each outside. */
import { type Api, expectGood } from '../../../cli/api.ts'
import { EXIT, exitCodeOfLook } from '../../../cli/exit-codes.ts'
import { suspendedAmong } from '../../../cli/suspended.ts'
import { tellTable } from '../../../cli/text/table.ts'
import { tellJson, type Terminal } from '../../../cli/text/terminal.ts'
import type { Given, Verb, VerbContext } from '../../../cli/verb.ts'
import { tellPlain } from '../../../cli/text/tell-plain.ts'
import { asks, withApi } from '../../../cli/with-api.ts'
import { flagOf, textOf } from '../../../cli/words/given.ts'
import { didYouMean } from '../../../kernel/text/nearest.ts'
import { DOMAIN_SORTS, STATUSES } from '../../../model/domain/record.ts'
import type { PresentedDomain } from '../present.ts'
import { type Entries, entriesNow, whoNow } from './entry.ts'
import { backendOf } from './record.ts'
import { type Known, knownOf, isOtherwise, seenBy, type SeenNow, seenNow, suspendedIn } from './seen.ts'

/** What people say who look for what is open to everybody. */
const OPEN_WORDS: ReadonlySet<string> = new Set([
  'anybody',
  'exposed',
  'open',
  'public',
  'unprotected',
  'who',
])
const OPEN_HINT = '"plumbline domains --open" lists what anybody gets to, now or after a deploy.'

export const domains: Verb = {
  name: 'domains',
  help: 'Lists the domains, with what is known of each.',
  notes: [
    'OUTSIDE says whether what was deployed is there: "as it should be", what differs and where, or "unknown". "plumbline explain NAME" says why.',
    'WHO says who gets in now, as it is deployed: anybody, or who has signed in; and behind that what is saved and not deployed. "plumbline access --host NAME" names them. A terminal narrower than 100 columns leaves it out, but for --open.',
    'Whether a backend answers is not asked here: "plumbline status" asks a dozen of them, "plumbline show NAME" one.',
  ],
  forms: [
    {
      words: '[TEXT]',
      help: 'Lists all domains, or those with a text in their name.',
      options: {
        zone: { value: 'ZONE', help: 'Only those at or below this name.' },
        tag: { value: 'TAG', help: 'Only those with this tag.' },
        status: { value: 'STATUS', one_of: STATUSES, help: 'Only those with this status.' },
        open: {
          help: 'Only those that anybody gets to without a sign-in: now, at some paths, or once what is saved is deployed.',
        },
        drift: {
          help: 'Only those that are not as they should be (exit code 2), or of which that is not known (3).',
        },
        sort: { value: 'ORDER', one_of: DOMAIN_SORTS, help: 'The order; by name when left out.' },
        counts: { help: 'Counts of all domains by status and other marks, and no table.' },
        names: { short: 'q', help: 'Names alone, one a line.' },
      },
      meant: (option) => (OPEN_WORDS.has(option) ? `${OPEN_HINT} The column WHO says it of each.` : null),
      examples: [
        ['domains', 'All of them.'],
        ['domains --zone example.com --status active', 'What of one zone is live.'],
        ['domains --drift', 'What to look at.'],
        ['domains --open', 'What anybody gets to, now or after a deploy.'],
        ['domains -q --tag media | xargs -n1 plumbline explain', 'Names for another command.'],
      ],
      is_long: true,
      is_look: (options) => flagOf(options, 'drift'),
      run: listed,
    },
  ],
}

async function listed(context: VerbContext): Promise<number> {
  const { options, terminal } = context
  if (flagOf(options, 'counts'))
    return asks<object>({ request: () => ({ method: 'GET', path: '/api/domains/stats' }), text: tellPlain })(
      context,
    )
  const is_drift = flagOf(options, 'drift')
  const is_open = flagOf(options, 'open')
  const { records, known, who, entries, others, otherwise, suspended, because } = await withApi(
    context,
    async (api) => {
      const is_table = !(terminal.json || flagOf(options, 'names'))
      const needs_known = is_drift || is_open || is_table
      const [all, { seen, suspended }] = await Promise.all([
        recordsAsked(api, context),
        is_drift ? seenNow(api) : needs_known ? listedBy(api) : NOTHING_SEEN,
      ])
      const known = (record: PresentedDomain) => knownOf(record, seen)
      const [text] = context.words
      const isNamed = (record: PresentedDomain) =>
        text === undefined || !isShownOtherwise(text) || hasText(record, text)
      const entries =
        is_open || (is_table && hasType(terminal))
          ? await entriesNow(api, await namesOf(api, context, all))
          : null
      const isMeant = (record: PresentedDomain) => !is_open || entries?.of(record).is_open === true
      const asked = all.filter((record) => isNamed(record) && fits(record, options, known))
      const records = asked.filter(isMeant)
      const otherwise = is_open ? asked.filter((record) => !isMeant(record) && isOtherwise(record, seen)) : []
      const others = is_open ? othersAsked(entries?.others ?? [], context) : []
      const differs = records.length > 0 ? 'something' : 'nothing'
      const because = is_drift ? await suspendedAmong(api, suspended, differs) : null
      const who = entries === null ? null : whoNow(entries, seen)
      return { records, known, who, entries, others, otherwise, suspended, because }
    },
  )
  if (terminal.json) tellJson(terminal, records)
  else if (flagOf(options, 'names')) for (const { domain } of records) terminal.out(domain)
  else if (records.length > 0) tell(records, { known, who }, terminal)
  else if (because === null && others.length === 0) terminal.note(await emptyWords(context))
  for (const { domain, text } of others)
    terminal.note(
      `${domain}: ${text}. It is deployed under this name, and saved under another or not at all.`,
    )
  if (is_open && records.length > 0) tellMeaning(records, entries, terminal)
  for (const { domain } of otherwise) terminal.note(`${domain}: ${OTHERWISE}`)
  if (because !== null) terminal.note(`unknown: ${because}`)
  else if ((records.length > 0 || is_open) && suspended.length > 0) terminal.note(lookNow(suspended))
  if (!is_drift) return EXIT.ok
  const states = records.map((record) => (known(record).is_unknown ? null : known(record).is_well))
  return exitCodeOfLook(because === null ? states : [...states, null])
}

const NOTHING_SEEN: SeenNow = { seen: [], suspended: [] }

async function listedBy(api: Api): Promise<SeenNow> {
  const seen = await seenBy(api)
  return { seen, suspended: suspendedIn(seen) }
}

const lookNow = (suspended: readonly string[]): string =>
  `${suspended.join(', ')} ${suspended.length === 1 ? 'is' : 'are'} suspended, so no pass looks: "plumbline domains --drift" looks now.`

const NO_MATCH = 'No domain matches. "plumbline domains" lists all.'

/** What the person may have meant: a flag said as a text, or a zone that no name is in. */
async function noMatchHint(context: VerbContext): Promise<string> {
  const [text] = context.words
  if (text !== undefined && OPEN_WORDS.has(text.toLowerCase())) return ` ${OPEN_HINT}`
  const zone = zoneOf(context.options)
  if (zone === undefined) return ''
  const all = await withApi(context, (api) =>
    expectGood<readonly PresentedDomain[]>(api, { method: 'GET', path: '/api/domains' }),
  )
  const zones = new Set(all.flatMap(({ domain, domain_unicode }) => [domain, domain_unicode].flatMap(above)))
  if (all.length === 0 || zones.has(zone)) return ''
  return ` No zone "${zone.slice(0, 260)}" is known: no domain has that name, or lies below it.${didYouMean(zone, zones)}`
}

/** The name itself and all that it lies below, but for the top level: `a.example.com`, `example.com`. */
const above = (name: string): readonly string[] => {
  const labels = name.split('.')
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
}

const zoneOf = (options: Given): string | undefined =>
  textOf(options, 'zone')?.toLowerCase().replace(/\.$/, '')

const NO_DOMAINS = 'There are no domains. "plumbline add NAME HOST:PORT" makes one.'

/** Why the list is empty: no domain exists, none differs, or none matches. */
async function emptyWords(context: VerbContext): Promise<string> {
  if (!isFiltered(context)) return NO_DOMAINS
  const { words, options } = context
  const is_alone = words.length === 0 && FILTERS.every((name) => options[name] === undefined)
  return flagOf(options, 'drift') && is_alone ? NO_DRIFT : `${NO_MATCH}${await noMatchHint(context)}`
}

const NO_DRIFT = 'No domain differs, as of the last look at each. "plumbline drift" looks now, at everything.'
const FILTERS = ['zone', 'tag', 'status', 'open']

const isFiltered = ({ words, options }: VerbContext): boolean =>
  words.length > 0 || [...FILTERS, 'drift'].some((name) => options[name] !== undefined)

function recordsAsked(api: Api, { words, options }: VerbContext): Promise<readonly PresentedDomain[]> {
  const query = new URLSearchParams()
  const [text] = words
  if (text !== undefined && !isShownOtherwise(text)) query.set('q', text)
  for (const name of ['status', 'sort']) {
    const value = textOf(options, name)
    if (value !== undefined) query.set(name, value)
  }
  const path = `/api/domains${query.size === 0 ? '' : `?${query.toString()}`}`
  return expectGood(api, { method: 'GET', path })
}

/** The database has A-labels, of which a part of a name in Unicode says nothing: such a text is looked for in what is shown. */
// eslint-disable-next-line no-control-regex
const isShownOtherwise = (text: string): boolean => /[^\u0000-\u007f]/.test(text) || text.endsWith('.')

function hasText({ domain, domain_unicode }: PresentedDomain, text: string): boolean {
  const looked_for = text.normalize('NFC').toLowerCase()
  const isIn = (name: string) => name.includes(looked_for) || `${name}.`.endsWith(looked_for)
  return isIn(domain) || isIn(domain_unicode)
}

function fits(record: PresentedDomain, options: Given, known: (record: PresentedDomain) => Known): boolean {
  const zone = zoneOf(options)
  const tag = textOf(options, 'tag')
  const { domain, domain_unicode, tags } = record
  const within = (name: string) => name === zone || name.endsWith(`.${zone}`)
  if (zone !== undefined && !within(domain) && !within(domain_unicode)) return false
  if (tag !== undefined && !tags.includes(tag)) return false
  return !flagOf(options, 'drift') || known(record).is_well === false
}

interface Columns {
  readonly known: (record: PresentedDomain) => Known
  /** Null where nobody asks who gets in. */
  readonly who: ((record: PresentedDomain) => string) | null
}

function tell(records: readonly PresentedDomain[], { known, who }: Columns, terminal: Terminal): void {
  // What kind it is gives way first where a terminal is narrow.
  const has_type = hasType(terminal)
  const rows = records.map((record) => {
    const { text, style } = known(record)
    const { domain_unicode, status, service_type } = record
    return {
      cells: [
        domain_unicode,
        backendOf(record),
        status,
        ...(has_type ? [service_type] : []),
        ...(who === null ? [] : [who(record)]),
        text,
      ],
      ...(style !== undefined && { style }),
    }
  })
  tellTable(terminal, rows, {
    head: [
      'DOMAIN',
      'BACKEND',
      'STATUS',
      ...(has_type ? ['TYPE'] : []),
      ...(who === null ? [] : ['WHO']),
      'OUTSIDE',
    ],
  })
  if (terminal.width !== undefined) terminal.note(BACKENDS)
}

const OTHERWISE =
  'its route or its rules are not as they were deployed, or another router is asked first, so who gets in is not known. ' +
  '"plumbline access drift" looks.'

const hasType = ({ width }: Terminal): boolean => width === undefined || width >= MIN_WITH_TYPE

/** All names that records have, whatever is asked for. */
async function namesOf(
  api: Api,
  { words, options }: VerbContext,
  asked: readonly PresentedDomain[],
): Promise<ReadonlySet<string>> {
  const is_all = words.length === 0 && options['status'] === undefined
  const all = is_all
    ? asked
    : await expectGood<readonly PresentedDomain[]>(api, { method: 'GET', path: '/api/domains' })
  return new Set(all.map(({ domain }) => domain))
}

/** Nothing is known of them but the name. */
function othersAsked(others: Entries['others'], { words, options }: VerbContext): Entries['others'] {
  if (['tag', 'status', 'drift'].some((name) => options[name] !== undefined)) return []
  const zone = zoneOf(options)
  const text = words[0]?.toLowerCase() ?? ''
  return others.filter(
    ({ domain, is_open }) =>
      is_open &&
      `${domain}.`.includes(text) &&
      (zone === undefined || domain === zone || domain.endsWith(`.${zone}`)),
  )
}

/** What to do about what is saved and not so yet, and what is not known of the rules. */
function tellMeaning(records: readonly PresentedDomain[], entries: Entries | null, terminal: Terminal): void {
  if (records.some((record) => entries?.of(record).sign_in_waits === true)) terminal.note(STANDS_OPEN)
  if (typeof entries?.note === 'string') terminal.note(`What is behind a sign-in: ${entries.note}`)
}

const STANDS_OPEN =
  'A sign-in that is saved waits for a deploy ("plumbline plan"); "plumbline access drift" says where it was deployed and does not stand.'

const MIN_WITH_TYPE = 100
const BACKENDS = 'Backends are not asked here: "plumbline status" and "plumbline show NAME" do.'
