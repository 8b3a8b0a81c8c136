/** `plumbline access`: who can open what; and putting back a route that was taken out. */
import { Misuse } from '../../cli/misuse.ts'
import { isPolicyWord, POLICY_WORDS } from '../../model/access/policy-words.ts'
import type { AccessAnswer, AccessEntry } from './access.ts'
import { SSO_LISTS } from './report.ts'
import type { SsoDrift } from './read-drift.ts'
import type { Lifted } from './sign-in/quarantine.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { type Ending, ends } from '../../cli/ends.ts'
import { SETTLING } from '../../cli/settle.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { domainId } from '../../cli/find-domain.ts'
import { shortTime, styled, tellAs, type Terminal } from '../../cli/text/terminal.ts'
import { tellMessage, tellProse, tellTable } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { textOf } from '../../cli/words/given.ts'
import { asks, withApi } from '../../cli/with-api.ts'
import { Failure } from '../../kernel/failure.ts'

const POLICY_HELP = 'config PLUMBLINE_SSO_POLICIES_FILE'

export const access: Verb = {
  name: 'access',
  help: 'Who can open what, and whether protected domains are protected.',
  notes: ['Exit code 3 where it is not known.', POLICY_WORDS],
  otherwise: Object.fromEntries(
    ['policy', 'policies', 'groups', '2fa', 'two-factor'].map((word) => [word, POLICY_HELP]),
  ),
  forms: [
    {
      words: '',
      help: 'Says what somebody can open, who can open a host, or whether somebody can open it.',
      options: {
        user: { value: 'NAME', help: 'What this person can open.' },
        host: { value: 'HOST', help: 'Who can open this host.' },
      },
      meant: (option) => (isPolicyWord(option) ? POLICY_WORDS : null),
      examples: [['access --user jo --host wiki.example.com', 'Whether Jo gets in, by which policy.']],
      is_long: true,
      run: asked,
    },
    {
      words: 'drift',
      help: 'Says whether protected domains are protected: flags, rules, middlewares, and what answers.',
      examples: [['access drift', 'Exit code 2 where one is not.']],
      is_long: true,
      run: asks<SsoDrift>({
        request: () => ({ method: 'GET', path: '/api/sso/drift' }),
        text: tellDrift,
        exit: ({ drift, unknown, not_checked }) =>
          drift === true
            ? EXIT.drift
            : drift === null || unknown.length + not_checked.length > 0
              ? EXIT.unknown
              : EXIT.ok,
      }),
    },
    {
      words: 'lift DOMAIN',
      help: 'Puts a route back that was taken out because it answered without signing in.',
      examples: [
        ['access lift wiki.example.com', 'It is looked at first: what still stands open stays out.'],
      ],
      options: SETTLING,
      run: ends<Lifted>(lifting, tellMessage),
    },
  ],
}

async function asked(context: VerbContext): Promise<number> {
  const { options, terminal } = context
  const given = ['user', 'host'].flatMap((name) => {
    const value = textOf(options, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  if (given.length === 0) throw new Misuse('Say --user NAME, --host HOST, or both.')
  const query = new URLSearchParams(Object.fromEntries(given)).toString()
  const host = textOf(options, 'host')
  const { answer, missing } = await withApi(context, async (api) => ({
    answer: await expectGood<AccessAnswer>(api, { method: 'GET', path: `/api/access?${query}` }),
    missing: host === undefined ? null : await missingWords(api, host),
  }))
  tellAs(terminal, answer, tell)
  if (missing !== null) {
    terminal.note(`${missing} What is shown is what the rules say of such a name.`)
    return EXIT.failed
  }
  return answer.entries.some(({ can_open }) => can_open === null) ? EXIT.unknown : EXIT.ok
}

/** Null where a record has the name, or a star that it is under. */
async function missingWords(api: Api, host: string): Promise<string | null> {
  const why = async (name: string): Promise<string | null> => {
    try {
      await domainId(api, name)
      return null
    } catch (error) {
      if (error instanceof Failure && error.code === 'not_found') return error.message
      throw error
    }
  }
  const own = await why(host)
  const star = `*${host.slice(Math.max(0, host.indexOf('.')))}`
  return own === null || (await why(star)) === null ? null : own
}

async function lifting(api: Api, { words }: VerbContext): Promise<Ending> {
  const name = words[0]!
  const { quarantine } = await expectGood<SsoDrift>(api, { method: 'GET', path: '/api/sso/drift' })
  const out = quarantine.find(({ domain }) => domain === name)
  // A wrong name is answered with what is near.
  if (out === undefined) await domainId(api, name)
  return {
    request: { method: 'POST', path: `/api/sso/quarantine/${encodeURIComponent(name)}/lift` },
    question: `Serve ${name} again?`,
    opens: true,
    loses:
      out === undefined
        ? []
        : [
            `${name} was taken out ${shortTime(out.since)}: ${out.evidence}`,
            'If it still answers so, everybody can open it until the next look takes it out again.',
          ],
  }
}

function tell({ entries, notes }: AccessAnswer, terminal: Terminal): void {
  const rows = entries.map((entry) => [
    entry.domain,
    entry.username ?? '(not signed in)',
    said(entry),
    entry.policy ?? '',
    entry.detail,
    exceptionsOf(entry),
  ])
  tellTable(terminal, rows)
  for (const note of notes) terminal.note(note)
}

const said = ({ can_open }: AccessEntry): string =>
  can_open === null ? 'unknown' : can_open ? 'opens' : 'closed'

const exceptionsOf = ({ exceptions }: AccessEntry): string =>
  exceptions.map(({ policy, resources }) => `${policy}: ${resources.join(' ') || 'some requests'}`).join('; ')

function tellDrift(found: SsoDrift, terminal: Terminal): void {
  const rows = SSO_LISTS.flatMap((list) =>
    found[list].map(({ domain, detail, cure }) => ({
      cells: [list.replaceAll('_', ' '), domain, detail],
      below: [cure],
    })),
  )
  tellTable(terminal, rows)
  // Else the lists say what is the matter with it.
  if (rows.length === 0)
    tellTable(
      terminal,
      found.differences.map(({ item, detail }) => [item, detail]),
    )
  for (const { detail } of found.unknown) terminal.note(styled('yellow', `unknown: ${detail}`))
  for (const { detail } of found.not_checked) terminal.note(styled('yellow', `not checked: ${detail}`))
  for (const { domain, since } of found.quarantine)
    terminal.note(styled('yellow', `${domain} is taken out since ${shortTime(since)}: access lift ${domain}`))
  // What nobody could look at is not known to be protected.
  if (found.ok && found.not_checked.length === 0)
    tellProse(terminal, `All ${found.protected_domains} protected domains are protected.`)
}
