/** `plumbline drift`: is the world what the database says? Made for CI: 0 clean, 2 drift, 3 unknown. */
import { Failure } from '../../kernel/failure.ts'
import type { Act } from '../../model/acts/act.ts'
import type { ExplainedDifference } from '../../model/drift.ts'
import { actorShown } from '../../cli/text/actor-shown.ts'
import { commandFor } from '../../cli/text/act-command.ts'
import { shellWord } from '../../kernel/text/shell-word.ts'
import { COMPONENTS, WRITTEN_WHOLE } from '../../model/component.ts'
import type { ComponentDrift } from './read-drift.ts'
import { expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { notSetUpHere } from '../../cli/not-set-up.ts'
import { type ModeInForce, modesInForce, suspendedAmong } from '../../cli/suspended.ts'
import { type Terminal, coloured, shortTime, styled, tellAs } from '../../cli/text/terminal.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { termsOf } from '../../cli/words/terms.ts'
import { ignoringForms } from './ignored/command.ts'
import { theirsForms } from './theirs/command.ts'
import { asks, withApi } from '../../cli/with-api.ts'
import type { DriftAnswer } from './read-drift.ts'
import { firstNames } from '../../kernel/text/first-names.ts'

type Shown = Omit<ComponentDrift, 'differences'> & {
  readonly differences: readonly (ExplainedDifference & {
    readonly acts: readonly Act[]
    readonly ignored?: { readonly reason: string; readonly actor: string; readonly until: string }
  })[]
}

type Found = Omit<DriftAnswer, 'components'> & {
  readonly components: readonly Shown[]
  /** Why nothing could be looked at, or what nobody keeps as it is; else null. */
  readonly reason: string | null
}

interface WithModes {
  /** In force: what ends one depends on what stands below it. Empty where nothing is to be ended. */
  readonly modes: readonly ModeInForce[]
}

interface Beside extends WithModes, Pick<DriftAnswer, 'pending'> {}

export const drift: Verb = {
  name: 'drift',
  help: 'Compares everything that is kept true with the database.',
  notes: [
    'Made for CI: exit code 0 clean, 2 drift or saved and not deployed, 3 unknown, also where nobody answers at --url, where nothing differs and something is suspended, and where no daemon runs and this shell does not name all that the database has kept. With everything ignored it is 2, too. Unknown is never clean.',
    'In the mode repair a hand edit may be repaired before the first look, so CI sees it only in the mode observe (PLUMBLINE_MODE); "plumbline audit" tells of what was repaired. From elsewhere: --url, with a read-only key in API_KEY.',
  ],
  otherwise: Object.fromEntries(COMPONENTS.map((one) => [one, `plan --component ${one}`])),
  forms: [
    {
      words: '',
      help: 'Looks at the world now, and says what differs and why.',
      examples: [['drift && echo clean', 'Does what comes next only where nothing differs.']],
      is_long: true,
      async run(context) {
        const { terminal } = context
        const { modes, ...found } = await look(context)
        tellAs(terminal, found, () => tell({ ...found, modes }, terminal))
        if (found.drift === null) return EXIT.unknown
        return found.drift ? EXIT.drift : EXIT.ok
      },
    },
    {
      words: 'routes',
      help: 'Compares the routes file alone with a fresh rendering of the database.',
      examples: [['drift routes', 'Also what is saved and not deployed, as a difference.']],
      is_long: true,
      run: asks<RoutesDrift>({
        request: () => ({ method: 'GET', path: '/api/domains/drift' }),
        text: tellRoutes,
        exit: ({ drift: is_dirty }) => (is_dirty === null ? EXIT.unknown : is_dirty ? EXIT.drift : EXIT.ok),
      }),
    },
    ...ignoringForms,
    ...theirsForms,
  ],
}

/** Whatever keeps us from looking leaves the answer unknown. Only a bad configuration is the caller's to mend first. */
async function look(context: VerbContext): Promise<Found & WithModes> {
  try {
    return await withApi(context, async (api) => {
      const answer = await expectGood<Omit<Found, 'reason'>>(api, { method: 'GET', path: '/api/drift' })
      const unseen = await notSetUpHere(api)
      const modes =
        context.terminal.json || !isResumable(answer) ? [] : await modesInForce(api).catch(() => [])
      if (answer.drift !== false) return { ...answer, reason: unseen, modes }
      const names = answer.components.map(({ component }) => component)
      const suspended = await suspendedAmong(api, names)
      const reason = [unseen, suspended].filter((one) => one !== null).join(' ') || null
      return { ...answer, drift: reason === null ? false : null, reason, modes }
    })
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'bad_configuration') throw error
    return {
      drift: null,
      reason: termsOf(null).sentence(error.message),
      components: [],
      pending: [],
      modes: [],
    }
  }
}

const isResumable = ({ components }: Pick<Found, 'components'>): boolean =>
  components.some(({ differences }) => differences.some(({ acts }) => acts.some(({ id }) => id === 'resume')))

function tell({ reason, components, modes, pending }: Found & WithModes, terminal: Terminal): void {
  if (reason !== null) tellProse(terminal, styled('yellow', `unknown: ${reason}`))
  for (const component of components) tellComponent({ ...component, modes, pending }, terminal)
}

function tellComponent(found: Shown & Beside, terminal: Terminal): void {
  if (found.drift === null) tellProse(terminal, styled('yellow', `unknown: ${found.key}: ${found.reason}`))
  else if (found.drift) tellProse(terminal, styled('red', `drift: ${found.key} differs from the database`))
  else tellProse(terminal, styled('green', `clean: ${found.key} is what the database says`))
  const rows = found.differences.map(({ cause, item, detail, ignored }) => [
    ignored === undefined ? cause : 'known',
    detail.includes(item) ? '' : item,
    ignored === undefined
      ? detail
      : `${detail} (${ignored.reason}, until ${shortTime(ignored.until)}, by ${actorShown(ignored.actor)})`,
  ])
  tellWays(found, terminal)
  tellTable(terminal, rows, { indent: '  ' })
  if (found.unified_diff !== null && found.drift === true)
    terminal.out(`\n${coloured(found.unified_diff).trimEnd()}`)
  if (found.note !== null) tellProse(terminal, `\n${found.note}`)
}

/** Before what may be long; a command is copied whole, so its line is not broken. */
function tellWays(found: Shown & Beside, terminal: Terminal): void {
  const all = waysIn(found)
  const indent = all.length === 1 && all[0]!.commands.length === 1 ? '  ' : '    '
  for (const way of all) {
    if (indent === '    ') tellProse(terminal, `  ${headOf(way, all)}`)
    for (const command of way.commands) terminal.out(`${indent}${styled('bold', command)}`)
  }
  const is_ignorable = all.some(({ commands }) => commands.some((one) => one.startsWith(IGNORING)))
  if (is_ignorable && WRITTEN_WHOLE.has(found.component))
    tellProse(
      terminal,
      `  drift ignore and ignore-end are about ALL hand edits of ${found.component}: it is one file.`,
    )
}

const IGNORING = 'plumbline drift ignore'

/** What can be done about some items, each command instead of the others. */
interface Way {
  /** Null: all that differs. */
  readonly items: readonly string[] | null
  readonly commands: readonly string[]
}

const MAX_COMMANDS = 5
const MAX_NAMED = 3

/** What can be done now, each command once: of several that are about the same things, one is enough. */
function waysIn({ component, differences, ...beside }: Shown & Beside): readonly Way[] {
  const items = new Map<string, Set<string>>()
  const same = new Map<string, string>()
  for (const { item, domains, acts, ignored } of differences)
    for (const act of acts) {
      const own = commandNow(act, { item, domains, is_ignored: ignored !== undefined, ...beside })
      const is_of_all = act.id === 'ignore' && WRITTEN_WHOLE.has(component)
      const kind = `${act.id} ${ignored !== undefined}`
      if (is_of_all && own !== null && !same.has(kind)) same.set(kind, own)
      const command = (is_of_all ? same.get(kind) : own) ?? null
      if (command !== null) items.set(command, (items.get(command) ?? new Set()).add(item))
    }
  const count = new Set(differences.map(({ item }) => item)).size
  const first = [...items].slice(0, MAX_COMMANDS)
  const alike = Map.groupBy(first, ([, some]) => (some.size === count ? '' : [...some].join('\n')))
  return [...alike]
    .map(([key, those]) => ({
      items: key === '' ? null : [...those[0]![1]],
      commands: those.map(([command]) => command),
    }))
    .toSorted((a, b) => Number(a.items !== null) - Number(b.items !== null))
}

interface Differing extends Beside {
  readonly item: string
  readonly domains: readonly string[]
  readonly is_ignored: boolean
}

/** What is known to stay has its end instead. */
function commandNow(act: Act, { item, domains, is_ignored, modes, pending }: Differing): string | null {
  if (act.id === 'ignore' && is_ignored) return `plumbline drift ignore-end ${shellWord(item)}`
  return act.why_not === null ? commandFor(act, namesNow(act, pending) ?? domains, modes) : null
}

/** What differs may be called by the name that is released: a record is found by the one that is saved. Null where it has no other. */
function namesNow({ id, path, body }: Act, pending: Beside['pending']): readonly string[] | null {
  const ids = id === 'discard' ? [Number(path.split('/')[3])] : [body?.['domains'] ?? body?.['domain']].flat()
  const names = ids.map((one) => pending.find(({ domain_id }) => domain_id === one)?.domain)
  return names.every((name) => name !== undefined) ? names : null
}

/** `One of these:`, `For all of it:`, `Or for line 3 alone, one of these:` */
function headOf({ items, commands }: Way, all: readonly Way[]): string {
  const choice = commands.length === 1 ? '' : ', one of these'
  if (items === null) return all.length === 1 ? 'One of these:' : `For all of it${choice}:`
  const named = firstNames(items, MAX_NAMED)
  return all[0]?.items === null ? `Or for ${named} alone${choice}:` : `For ${named}${choice}:`
}

interface RoutesDrift {
  readonly drift: boolean | null
  readonly reason: string | null
  readonly path: string
  readonly pending: readonly { readonly domain: string }[]
  readonly unified_diff: string | null
}

function tellRoutes(
  { drift: is_dirty, reason, path, pending, unified_diff }: RoutesDrift,
  terminal: Terminal,
): void {
  if (is_dirty === null) tellProse(terminal, styled('yellow', `unknown: ${reason ?? path}`))
  else if (is_dirty) tellProse(terminal, styled('red', `drift: ${path} differs from what the database says`))
  else tellProse(terminal, styled('green', `clean: ${path} is what the database says`))
  for (const { domain } of pending) tellProse(terminal, `  saved and not deployed: ${domain}`)
  if (unified_diff !== null) terminal.out(`\n${coloured(unified_diff).trimEnd()}`)
}
