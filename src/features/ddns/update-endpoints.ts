/**
 * The two calls with which gateways report their address. Both change something by GET, because routers know no other
 * way, so HEAD is not served and a page of another site is turned away like everywhere.
 *
 * inadyn takes a 200 for success when its body holds "ok", "good", "true" … anywhere, so no failure has such letters. It
 * ends at other statuses below 500, and ddclient reads words at 2xx and 401 only.
 */
import { z } from 'zod'
import { Failure, type FailureCode } from '../../kernel/failure.ts'
import { requestOf } from '../../model/actor.ts'
import { authenticate, type Holder } from './tokens/authenticate.ts'
import type { Ddns } from './ddns.ts'
import {
  type GivenAddress,
  hostFor,
  reportedAddresses,
  takeAddresses,
  type UpdateAnswer,
} from './addresses/update-address.ts'
import type { ReportableAddress } from '../../model/network/public-address.ts'
import { isoTimeOrNull } from '../../kernel/clock.ts'
import { type Call, endpoint, type Endpoint, type ProblemLine, type Proving } from '../../http/contract.ts'
import { dyndnsLine, joined, successWord } from './dyndns-words.ts'
import { DOMAIN_NAME } from '../../model/text/form.ts'

const tags = ['Dynamic DNS']
const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' }
const MAX_HOSTS = 20

/** Values are judged by the operation, after the key. */
const value = (meaning: string) => z.string().optional().describe(meaning)

const addresses = {
  ip: value('One IPv4 or IPv6 address. Left out: the address of the connection, if it is a public one'),
  myip: value('The same under its dyndns2 name'),
  ipv6: value('An IPv6 address, beside an IPv4 address or alone'),
  myipv6: value('The same under its dyndns2 name'),
}
const key = value('The site token of the name, or the API key')

const PROBLEM_CODES: readonly FailureCode[] = [
  'token_not_for_name',
  'not_found',
  'ddns_disabled',
  'rate_limited',
  'storage_full',
  'storage_unwritable',
]

const UPDATE = `Stores the address; DNS follows by itself. IPv6 addresses go to AAAA. Answers \`good ADDRESS\` when it changed
and \`nochg ADDRESS\` when it did not, as text, or as JSON (\`success\`, \`domain\`, \`ip\`, \`addresses\`, \`changed\`, \`due_at\`, \`in_force\`)
where \`Accept\` asks for application/json; there \`because\` says what counts instead of what was kept: static_ip, internal,
manual, inactive, not_deployed, foreign_owner or not_due. With \`ddns_enabled\` false nothing is kept, and the answer is 409. An address changes once a
minute, and one that goes back and forth is held until the newest was the newest for ten minutes: what comes sooner is
answered as good, kept, and taken when it is due, which \`due_at\` says (null: it holds now); until then it is not in force. Ten wrong keys a minute from one
client: beyond that 429 with Retry-After.`

const DYNDNS2 = `The form that routers and ddclient know: Basic credentials whose password is the site token or the API key;
the user name does not matter. One line for each host: \`good\`, \`nochg\`, \`nohost\`, \`911\`; also \`dnserr\` for an address that is
not public and \`abuse\` after ten wrong keys, all of them with 200, since such clients read words there alone. \`badauth\`
has 401, and \`911\` alone has 503: to be reported again.`

export const ddnsUpdateEndpoints = (ddns: Ddns): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/ddns/update/{domain}',
    id: 'updateAddress',
    summary: 'A gateway reports its address',
    description: UPDATE,
    level: 'ddns',
    prove: (call) => void authenticate(ddns, presentedBy(call)),
    acting_get: true,
    tags,
    params: z.object({ domain: z.string().meta({ ...DOMAIN_NAME }) }),
    query: z.object({ key, ...addresses }),
    headers: { Accept: 'application/json for JSON; anything else gets text' },
    replies: { 200: { content_type: 'text/plain', description: '`good ADDRESS` or `nochg ADDRESS`' } },
    problems: PROBLEM_CODES,
    handler: async (call) => {
      const { domain } = call.params
      const holder = await ddns.refused.noting(null, domain, () => authenticate(ddns, presentedBy(call)))
      const taken = await ddns.refused.noting(tokenHost(holder), domain, async () => {
        const addressesOf = () =>
          reportedAddresses(ddns, { given: givenIn(call.query), ...connectionOf(call) })
        const named = await hostFor(ddns, holder, domain).catch((error: unknown) => {
          // What does not fit its description is told before what the record keeps out.
          if (error instanceof Failure && error.code === 'ddns_disabled') addressesOf()
          throw error
        })
        call.subjects.add(named.host)
        const request = requestOf(call.actor)
        return takeAddresses(ddns, holder, { ...named, addresses: addressesOf(), request })
      })
      return wantsJson(call) ? jsonAnswer(taken) : text(200, `${successWord(taken)}\n`)
    },
  }),
  endpoint({
    method: 'GET',
    path: '/nic/update',
    id: 'updateAddressDyndns2',
    summary: 'The same in the dyndns2 form',
    description: DYNDNS2,
    level: 'ddns',
    prove: (call) => void authenticate(ddns, presentedBy(call)),
    acting_get: true,
    problem_line: dyndnsLine,
    tags,
    query: z.object({
      hostname: value(`Names, separated by commas, at most ${MAX_HOSTS}`),
      key,
      ...addresses,
      myip: value('One address of each kind, separated by a comma. Left out: the address of the connection'),
      ...Object.fromEntries(IGNORED.map((name) => [name, value('Taken and ignored')])),
    }),
    replies: {
      200: {
        content_type: 'text/plain',
        description: 'One line for each host: `good`, `nochg`, `nohost`, `dnserr`, `abuse`',
      },
    },
    problems: PROBLEM_CODES,
    handler: async (call) => {
      const hosts = splitList(call.query.hostname ?? '')
      const holder = await ddns.refused.noting(null, hosts[0] ?? '', () =>
        authenticate(ddns, presentedBy(call)),
      )
      const reported = () => {
        const given = givenIn(call.query).flatMap(({ name, value }) =>
          value.split(',').map((one) => ({ name, value: one })),
        )
        return reportedAddresses(ddns, { given, ...connectionOf(call) })
      }
      if (hosts.length === 0 || hosts.length > MAX_HOSTS) throw noHost()
      const [only] = hosts
      const { subjects } = call
      const one = { holder, reported, request: requestOf(call.actor), subjects }
      if (hosts.length === 1)
        return text(200, `${successWord(await updateOne(ddns, { ...one, host: only! }))}\n`)
      return manyLines(hosts, (host) => updateOne(ddns, { ...one, host }))
    },
  }),
]

const tokenHost = (holder: Holder): string | null => (holder.kind === 'token' ? holder.token.host : null)

/** What the dyndns2 convention has beside, and older routers send. */
const IGNORED = ['system', 'wildcard', 'mx', 'backmx', 'static', 'custom', 'offline', 'url'] as const

const presentedBy = ({ credential, class: who, actor, holder }: Proving) => ({
  credential,
  api_key: who === 'key' ? actor.name : null,
  holder,
})

const connectionOf = ({ client, client_is_vouched }: Call) => ({ client, client_is_vouched })

type AddressQuery = { readonly [Name in keyof typeof addresses]?: string | undefined }

const givenIn = (query: AddressQuery): GivenAddress[] =>
  (Object.keys(addresses) as (keyof typeof addresses)[]).flatMap((name) =>
    query[name] === undefined ? [] : [{ name, value: query[name] }],
  )

const wantsJson = (call: Call): boolean => /\bapplication\/json\b/i.test(call.header('accept') ?? '')

const text = (status: 200, body: string) => ({ status, body, headers: TEXT })

function jsonAnswer({ host, addresses: taken, changed, due_at, because }: UpdateAnswer) {
  const values = taken.map(({ address }) => address)
  const why = because ?? (due_at === null ? null : 'not_due')
  const counting = { in_force: why === null, because: why }
  const due = { due_at: isoTimeOrNull(due_at) }
  const body = { success: true, domain: host, ip: values[0], addresses: values, changed, ...due, ...counting }
  return { status: 200 as const, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

const splitList = (list: string): string[] => list.split(',').filter((one) => one !== '')

const noHost = () => new Failure('not_found', `Name 1 to ${MAX_HOSTS} hosts.`)

interface One {
  readonly request: ReturnType<typeof requestOf>
  readonly holder: Holder
  readonly host: string
  readonly reported: () => ReportableAddress[]
  readonly subjects: Call['subjects']
}

const updateOne = (ddns: Ddns, one: One): Promise<UpdateAnswer> =>
  ddns.refused.noting(tokenHost(one.holder), one.host, () => takenOf(ddns, one))

async function takenOf(
  ddns: Ddns,
  { holder, host, reported, request, subjects }: One,
): Promise<UpdateAnswer> {
  // A name that is none is a host that is not there: the protocol has no other word for it.
  const named = await hostFor(ddns, holder, host).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'validation_failed' ? noHost() : error
  })
  subjects.add(named.host)
  return takeAddresses(ddns, holder, { ...named, addresses: reported(), request })
}

/** One after another, each in its line. It is to be reported again when nothing came of any of them but `911`. */
async function manyLines(hosts: readonly string[], update: (host: string) => Promise<UpdateAnswer>) {
  const lines: ProblemLine[] = []
  for (const host of hosts) {
    try {
      lines.push({ status: 200, text: successWord(await update(host)) })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      lines.push(dyndnsLine(error.code))
    }
  }
  const body = joined(lines.map((line) => line.text))
  return lines.some(({ status }) => status === 200)
    ? text(200, body)
    : new Response(body, { status: lines[0]!.status, headers: TEXT })
}
