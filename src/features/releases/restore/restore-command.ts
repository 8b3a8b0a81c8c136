/** `plumbline releases restore` and `undo`: the way back to a release, of all domains or of one. */
import { type Api, expectGood } from '../../../cli/api.ts'
import { exitCodeAfter } from '../../../cli/exit-codes.ts'
import { domainId } from '../../../cli/find-domain.ts'
import { Misuse } from '../../../cli/misuse.ts'
import { rehearsedExit, settle, SETTLING, tellUndone, written } from '../../../cli/settle.ts'
import { shownTo, tellAs } from '../../../cli/text/terminal.ts'
import { tellProse } from '../../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { flagOf, textOf } from '../../../cli/words/given.ts'
import { withApi } from '../../../cli/with-api.ts'
import { Failure } from '../../../kernel/failure.ts'
import { shellWord } from '../../../kernel/text/shell-word.ts'
import type { ReleaseDiff } from '../diff.ts'
import type { ReleaseDetail, ReleaseSummary } from '../read.ts'
import { movesRecords, tellRestore } from '../tell-releases.ts'
import type { RestoreAnswer, RestorePlan } from './restore.ts'

/** What people say for the way back. */
export const BACK_WORDS: ReadonlySet<string> = new Set(['rollback', 'roll-back', 'revert', 'back', 'reset'])
export const RESTORE = 'releases restore N'

/** Words that a number follows; alone each looks like one. */
const NUMBERED: ReadonlySet<string> = new Set(['show', 'routes', 'diff', 'restore'])

export function numberIn(word: string): string {
  if (/^[1-9][0-9]{0,14}$/.test(word)) return word
  if (NUMBERED.has(word))
    throw new Misuse(`N is missing. It is the number of a release: "plumbline releases" lists them.`)
  if (BACK_WORDS.has(word))
    throw new Misuse(
      `"${word}" is nothing that it can do. Did you mean "plumbline ${RESTORE}"? "plumbline releases" lists the numbers.`,
    )
  if (word === 'undo') throw new Misuse('NAME is missing. It is the domain whose last change is undone.')
  throw new Misuse(`A release is named by its number, not "${word.slice(0, 40)}".`)
}

export const restoringForms: Verb['forms'] = [
  {
    words: 'restore N',
    help: 'Puts the records back as they stood in a release, and deploys them. A script says --yes.',
    options: {
      only: {
        value: 'NAME',
        help: 'Puts only this domain back, also where it was deleted since; all others stay as they are.',
      },
      ...SETTLING,
    },
    examples: [
      ['releases restore 7 --only app.example.com', 'One domain as it was then.'],
      ['releases restore 7 --dry-run', 'Shows what that would do.'],
      ['releases restore 7', 'The way back after a change that went wrong.'],
    ],
    run: (context) => {
      const number = numberIn(context.words[0]!)
      return withApi(context, async (api) => {
        const only = textOf(context.options, 'only')
        const domain = only === undefined ? null : { name: only, id: await idThen(api, only, number) }
        return restored(context, api, { number, domain })
      })
    },
  },
  {
    words: 'undo NAME',
    help: 'Undoes the last release that changed this domain, for it alone. A script says --yes.',
    options: SETTLING,
    examples: [
      ['releases undo app.example.com', 'As it was before its last change. Said twice, it is as it is now.'],
      ['releases undo app.example.com --dry-run', 'Shows what that would do.'],
    ],
    run: (context) => {
      const name = context.words[0]!
      if (/^[0-9]+$/.test(name))
        throw new Misuse(`It undoes the last change of a domain. Did you mean "plumbline ${RESTORE}"?`)
      return withApi(context, async (api) => {
        const { number, before, id } = await lastChangeOf(api, await idToday(api, name), name)
        const words = `Release ${number} was the last that changed ${name}: back to release ${before}.`
        if (!context.terminal.json) tellProse(shownTo(context.terminal), words)
        return restored(context, api, { number: String(before), domain: { name, id } })
      })
    },
  },
]

/** A name that no record has today is asked for in the releases. */
const idToday = (api: Api, name: string): Promise<number | null> =>
  domainId(api, name).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  })

const isThere = async (api: Api, id: number): Promise<boolean> =>
  (await api.call({ method: 'GET', path: `/api/domains/${id}` })).status !== 404

/** The record that has a name today, or the deleted one that was live under it in a release. Throws `not_found`. */
async function idThen(api: Api, name: string, number: string): Promise<number> {
  const today = await idToday(api, name)
  if (today !== null) return today
  const [newest] = await expectGood<readonly ReleaseSummary[]>(api, {
    method: 'GET',
    path: '/api/releases?limit=1',
  })
  const path = `/api/releases/${number}/diff?against=${newest?.number ?? number}`
  const { added } = await expectGood<ReleaseDiff>(api, { method: 'GET', path })
  const then = added.find(({ domain }) => domain === plain(name))
  // It says what became of the name.
  return then?.domain_id ?? domainId(api, name)
}

/** As records have a name that is typed in capitals, or with a dot at its end. */
const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/** So many releases are looked through for the last change of a domain. */
const MAX_RELEASES = 200

/** @param today null: the record is deleted, and its name tells it. */
async function lastChangeOf(
  api: Api,
  today: number | null,
  name: string,
): Promise<{ readonly number: number; readonly before: number; readonly id: number }> {
  const path = `/api/releases?limit=${MAX_RELEASES}`
  const all = await expectGood<readonly ReleaseSummary[]>(api, { method: 'GET', path })
  for (const [at, { number, rows_moved }] of all.entries()) {
    if (rows_moved === 0) continue
    const one = await expectGood<ReleaseDetail>(api, { method: 'GET', path: `/api/releases/${number}` })
    const row = one.rows.find(({ domain_id, domain }) =>
      today === null ? domain === plain(name) : domain_id === today,
    )
    if (row === undefined) continue
    // A name that a record has given up is nobody's to go back with: it says how that record is called.
    if (today === null && (await isThere(api, row.domain_id))) break
    const before = all[at + 1]?.number
    if (before !== undefined) return { number, before, id: row.domain_id }
    throw new Failure(
      'not_found',
      `Release ${number} was the last that changed ${name}, and no release before it is known to go back to.`,
    )
  }
  // It says what became of the name, or what is near.
  if (today === null) await domainId(api, name)
  throw new Failure(
    'not_found',
    `None of the newest ${all.length} releases changed ${name}, so there is nothing to undo. "plumbline discard ${shellWord(name)}" gives up what is saved and not deployed.`,
  )
}

interface Back {
  readonly number: string
  /** Null: all of them. */
  readonly domain: { readonly name: string; readonly id: number } | null
}

async function restored(context: VerbContext, api: Api, { number, domain }: Back): Promise<number> {
  const { terminal, options } = context
  const path = `/api/releases/${number}/restore`
  const body = domain === null ? {} : { body: { domains: [domain.id] } }
  const request = { method: 'POST', path, ...body } as const
  const planned = await expectGood<RestorePlan>(api, { ...request, path: `${path}?dry_run=true` })
  // A saved change that is not deployed is replaced as well, and no plan shows it.
  const asks_anyway = movesRecords(planned)
  if (flagOf(options, 'dry-run')) {
    await written(context, planned.plan)
    tellAs(terminal, planned, tellRestore)
    if (!terminal.json) tellUndone(planned.plan, terminal, { asks_anyway })
    return rehearsedExit(planned.plan, { asks_anyway })
  }
  const settled = await settle<RestoreAnswer>(context, api, {
    request,
    question: `Go back to release ${number}${domain === null ? '' : ` with ${domain.name}`}?`,
    removes: 'perhaps',
    asks_anyway,
  })
  if (!settled.done) return settled.exit
  tellAs(terminal, settled.answer, tellRestore)
  return exitCodeAfter(settled.answer)
}
