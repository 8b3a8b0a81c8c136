/** `plumbline explain`: why a domain is as it is, and what happens next. */
import type { ReactionKind } from '../../model/reaction.ts'
import type { ExplainedComponent, ExplainedDomain } from './explained.ts'
import { expectGood } from '../../cli/api.ts'
import { askOf, unreachedAmong, whyHindered } from '../../cli/backends.ts'
import { exitCodeOfLook } from '../../cli/exit-codes.ts'
import { domainId } from '../../cli/find-domain.ts'
import { notSetUpHere } from '../../cli/not-set-up.ts'
import { actorShown } from '../../cli/text/actor-shown.ts'
import { type Terminal, shortTime, styled, tellJson } from '../../cli/text/terminal.ts'
import { tellBeside, tellProse, tellTable } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'
import type { EffectiveConfig } from '../routes/views.ts'

export const explain: Verb = {
  name: 'explain',
  help: 'Says why a domain is as it is.',
  notes: [
    'Exit code 0 it is as it was saved, 2 something differs or waits for a deploy, 3 that is not known, as of what is suspended.',
  ],
  forms: [
    {
      words: 'DOMAIN',
      help: 'Shows what is saved, released and observed of a domain, the cause where they differ, and what happens next.',
      examples: [['explain app.example.com', 'Why it is not reachable, or not as it was.']],
      is_long: true,
      is_look: () => true,
      run: (context) => explained(context),
    },
  ],
}

async function explained(context: VerbContext): Promise<number> {
  const { words, terminal } = context
  const [word] = words as readonly [string]
  const { found, proxy, backend, unseen } = await withApi(context, async (api) => {
    const id = await domainId(api, word)
    const path = `/api/domains/${id}`
    const looking = unreachedAmong(askOf(api), [{ id }], { why: whyHindered })
    const found = await expectGood<ExplainedDomain>(api, { method: 'GET', path: `${path}/explain` })
    const { sync_status, sync_reason, differences, rivals } = await expectGood<EffectiveConfig>(api, {
      method: 'GET',
      path: `${path}/effective-config`,
    })
    const backend = (await looking)[0]?.why ?? null
    const unseen = await notSetUpHere(api)
    return { found, proxy: { sync_status, sync_reason, differences, rivals }, backend, unseen }
  })
  if (terminal.json) tellJson(terminal, { ...found, proxy, backend_unreached: backend })
  else {
    tell(found, backend, terminal)
    tellProxy(proxy, terminal)
  }
  if (unseen !== null) terminal.note(unseen)
  return exitCodeOfLook([...statesOf(found), unseen === null ? true : null])
}

/** One for each part that is kept of it, and for what the proxy makes of its routes. */
const statesOf = ({ components, served, sign_in, pending }: ExplainedDomain): readonly (boolean | null)[] => [
  // Nobody keeps what is suspended.
  ...components.map(({ agrees, engine }) => (agrees === true && engine.mode === 'suspend' ? null : agrees)),
  ...(served === null ? [] : [served.agrees]),
  sign_in.length === 0 && !pending,
]

function tell(found: ExplainedDomain, backend: string | null, terminal: Terminal): void {
  tellProse(terminal, styled('bold', found.summary))
  if (found.not_published !== null)
    tellProse(terminal, styled('red', `DNS does not have it: ${found.not_published}.`))
  if (backend !== null) tellProse(terminal, styled('red', `But ${backend}.`))
  terminal.out('')
  tellTable(terminal, editions(found), { indent: '  ' })
  const uncertified = found.no_certificate === null ? [] : [`${UNCERTIFIED}: ${found.no_certificate}.`]
  for (const warning of [...found.warnings, ...uncertified])
    tellProse(terminal, `  ${styled('yellow', 'warning')} ${warning}`)
  for (const component of found.components) tellComponent(component, terminal)
  tellSignIn(found, terminal)
}

const UNCERTIFIED = 'Nobody obtains a certificate for it'

function editions(found: ExplainedDomain) {
  const { status, revision, saved, released, released_revision, undone, pending } = found
  const by =
    saved === null ? '' : `, by ${actorShown(saved.actor)} at ${shortTime(saved.at)} (${saved.action})`
  const deployed =
    released === null
      ? 'never'
      : `${released_revision === null ? 'nothing' : `revision ${released_revision}`} since release ${released.release}, ` +
        `by ${actorShown(released.actor)} at ${shortTime(released.at)} (${released.reason})`
  const undid =
    undone === null
      ? []
      : [
          [
            'undone',
            `somebody's edit of ${undone.component} at ${shortTime(undone.at)}: ${undone.items[0]?.item ?? 'its spelling'}` +
              (undone.kept_as.length === 0
                ? ''
                : `; what stood there is kept as ${undone.kept_as.join(', ')}`),
          ],
        ]
  return [
    ['status', status],
    ['saved', `revision ${revision}${by}${pending ? '; waits for a deploy' : ''}`],
    ['released', deployed],
    ...undid,
  ]
}

function tellSignIn({ sign_in }: ExplainedDomain, terminal: Terminal): void {
  if (sign_in.length === 0) return
  terminal.out('')
  tellProse(
    terminal,
    styled('red', `sign-in: ${sign_in.map(({ list }) => list.replaceAll('_', ' ')).join(', ')}`),
  )
  for (const { detail, cure } of sign_in) tellProse(terminal, `  ${detail} ${cure}`)
}

type ProxyView = Pick<EffectiveConfig, 'sync_status' | 'sync_reason' | 'differences' | 'rivals'>

/** What is in the file and what the proxy runs are two things. */
function tellProxy({ sync_status, sync_reason, differences, rivals }: ProxyView, terminal: Terminal): void {
  terminal.out('')
  tellProse(terminal, styled('bold', `proxy: ${sync_status.replaceAll('_', ' ')}`))
  if (sync_reason !== null) tellProse(terminal, `  ${sync_reason}`)
  const rows = differences.map(({ item, expected, found }) => [
    item,
    `deployed ${expected ?? 'nothing'}, runs ${found ?? 'nothing'}`,
  ])
  tellTable(terminal, rows, { indent: '  ' })
  for (const { detail } of rivals) if (detail !== sync_reason) tellProse(terminal, `  ${detail}`)
}

/** Before the reason. */
const NEXT: Readonly<Record<ReactionKind, string>> = {
  leave_alone: 'Nothing is done.',
  repair: 'It is repaired at the next look.',
  try_again: 'It is tried again.',
  only_report: 'It is only reported.',
  refuse: 'It is not repaired.',
  stay_suspended: 'It is left alone for now.',
  look_again: 'It is looked at again.',
}

const STYLE = { true: 'green', false: 'red', unknown: 'yellow' } as const

function tellComponent(component: ExplainedComponent, terminal: Terminal): void {
  const { condition, engine, differences } = component
  terminal.out('')
  tellProse(
    terminal,
    styled(STYLE[condition.status], `${component.component}: ${condition.reason.replaceAll('_', ' ')}`),
  )
  const next = engine.next_attempt_at === null ? '' : ` Next look by ${shortTime(engine.next_attempt_at)}.`
  const lines = [
    ['condition', `${condition.message} Since ${shortTime(condition.last_transition_at)}.`],
    ...(component.cause === null ? [] : [['cause', component.cause]]),
    [
      'next',
      `${NEXT[engine.will]} ${engine.because.replace(/^key (?=suspended )/, `${actorShown('key')} `)}${next}`,
    ],
  ]
  tellTable(terminal, lines, { indent: '  ' })
  tellTable(
    terminal,
    differences.map(({ cause, item, detail }) => [cause, item, detail]),
    { indent: '  ' },
  )
  for (const [title, text] of texts(component)) {
    terminal.out(`  ${styled('bold', title)}${text === null ? ' nothing' : ''}`)
    if (text !== null)
      for (const line of text.trimEnd().split('\n')) tellExcerpt(line, isFile(text), terminal)
  }
}

/** Lines of a file stand as they are there. */
const isFile = (text: string): boolean => /^ /m.test(text)

function tellExcerpt(line: string, is_verbatim: boolean, terminal: Terminal): void {
  if (is_verbatim) terminal.out(`    ${line}`)
  else tellBeside(terminal, '    ', line)
}

/** Sides that hold the same are shown once. */
function texts({ desired, released, observed, unknown_because }: ExplainedComponent) {
  const sides = new Map<string | null, string[]>()
  const add = (name: string, text: string | null) => sides.set(text, [...(sides.get(text) ?? []), name])
  add('saved', desired)
  add('released', released)
  if (unknown_because === null) add('observed', observed)
  return [...sides].map(([text, names]): [string, string | null] => [`${names.join(' = ')}:`, text])
}
