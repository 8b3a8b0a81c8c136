/** `plumbline releases`: what was deployed and when; one release, what lies between two, and the way back to one. */
import { domainId } from '../../cli/find-domain.ts'
import { Misuse } from '../../cli/misuse.ts'
import type { ResumeAnswer, ResumePlan } from './restore/resume.ts'
import type { RestoreAnswer, RestorePlan } from './restore/restore.ts'
import type { ReleaseDetail, ReleaseSummary } from './read.ts'
import type { ReleaseDiff } from './diff.ts'
import { expectGood } from '../../cli/api.ts'
import { EXIT, exitCodeAfter } from '../../cli/exit-codes.ts'
import { tellRelease, tellReleaseDiff, tellReleases, tellRestore } from './tell-releases.ts'
import { isPartRefused, tellResume } from './restore/tell-resume.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { rehearsedExit, settle, SETTLING, tellUndone, written } from '../../cli/settle.ts'
import { tellAs } from '../../cli/text/terminal.ts'
import { flagOf, textOf } from '../../cli/words/given.ts'
import { asks, withApi } from '../../cli/with-api.ts'

/** What people say for the way back. */
const BACK_WORDS: ReadonlySet<string> = new Set(['undo', 'rollback', 'roll-back', 'revert', 'back', 'reset'])
const RESTORE = 'releases restore N'

export const releases: Verb = {
  name: 'releases',
  help: 'What was deployed and when; what lies between two, and the way back to one.',
  otherwise: Object.fromEntries([...BACK_WORDS].map((word) => [word, RESTORE])),
  forms: [
    {
      words: '[list]',
      help: 'Lists releases, newest first.',
      options: { limit: { value: 'N', help: 'At most so many.' } },
      examples: [['releases --limit 5', 'The last five.']],
      is_long: true,
      run: asks<readonly ReleaseSummary[]>({
        request: ({ options }) => {
          const limit = textOf(options, 'limit')
          return {
            method: 'GET',
            path: `/api/releases${limit === undefined ? '' : `?limit=${encodeURIComponent(limit)}`}`,
          }
        },
        text: tellReleases,
      }),
    },
    {
      words: 'show N',
      help: 'Shows one release and the records that it moved. "releases N" does, too.',
      examples: [['releases show 7', 'What release 7 brought.']],
      is_long: true,
      run: shown,
    },
    { words: 'N', help: 'Shows one release.', is_long: true, run: shown },
    {
      words: 'routes N',
      help: 'Prints the routes file exactly as a release froze it.',
      examples: [['releases routes 7 > routes.yml', 'The bytes that release 7 wrote.']],
      is_long: true,
      run: asks<string>({
        request: ({ words }) => ({ method: 'GET', path: `/api/releases/${numberIn(words[0]!)}/routes` }),
        text: (routes, { out }) => out(routes.trimEnd()),
      }),
    },
    {
      words: 'diff N [M]',
      help: 'Shows what lies between two releases: from N to M, or to N from the one before.',
      examples: [['releases diff 7', 'What release 7 changed.']],
      is_long: true,
      run: asks<ReleaseDiff>({
        request: ({ words }) => {
          const [first, second] = words.map(numberIn) as [string, string | undefined]
          const which = second === undefined ? `${first}/diff` : `${second}/diff?against=${first}`
          return { method: 'GET', path: `/api/releases/${which}` }
        },
        text: tellReleaseDiff,
      }),
    },
    {
      words: 'restore N',
      help: 'Puts the records back as they stood in a release, and deploys them. A script says --yes.',
      options: {
        only: { value: 'NAME', help: 'Puts only this domain back; all others stay as they are.' },
        ...SETTLING,
      },
      examples: [
        ['releases restore 7 --only app.example.com', 'One domain as it was then.'],
        ['releases restore 7 --dry-run', 'Shows what that would do.'],
        ['releases restore 7', 'The way back after a change that went wrong.'],
      ],
      run: restore,
    },
    {
      words: 'resume',
      help: 'Decides between an older database and a newer world, after a restored backup.',
      options: {
        take: {
          value: 'SIDE',
          one_of: ['database', 'world'],
          help: 'Which is right. Without --confirm it is only planned.',
        },
        confirm: { value: 'HASH', help: 'Does what the plan with this hash says.' },
      },
      examples: [['releases resume --take world', 'Shows what taking the world’s side would do.']],
      run: resume,
    },
  ],
}

/** Words that a number follows; alone each looks like one. */
const NUMBERED: ReadonlySet<string> = new Set(['show', 'routes', 'diff', 'restore'])

function numberIn(word: string): string {
  if (/^[1-9][0-9]{0,14}$/.test(word)) return word
  if (NUMBERED.has(word))
    throw new Misuse(`N is missing. It is the number of a release: "plumbline releases" lists them.`)
  if (BACK_WORDS.has(word))
    throw new Misuse(
      `"${word}" is nothing that it can do. Did you mean "plumbline ${RESTORE}"? "plumbline releases" lists the numbers.`,
    )
  throw new Misuse(`A release is named by its number, not "${word.slice(0, 40)}".`)
}

function shown(context: VerbContext): Promise<number> {
  return asks<ReleaseDetail>({
    request: ({ words }) => ({ method: 'GET', path: `/api/releases/${numberIn(words[0]!)}` }),
    text: tellRelease,
  })(context)
}

function restore(context: VerbContext): Promise<number> {
  const { words, terminal, options } = context
  const path = `/api/releases/${numberIn(words[0]!)}/restore`
  const only = textOf(options, 'only')
  return withApi(context, async (api) => {
    const body = only === undefined ? {} : { body: { domains: [await domainId(api, only)] } }
    if (flagOf(options, 'dry-run')) {
      const planned = await expectGood<RestorePlan>(api, {
        method: 'POST',
        path: `${path}?dry_run=true`,
        ...body,
      })
      await written(context, planned.plan)
      tellAs(terminal, planned, tellRestore)
      if (!terminal.json) tellUndone(planned.plan, terminal)
      return rehearsedExit(planned.plan)
    }
    const settled = await settle<RestoreAnswer>(context, api, {
      request: { method: 'POST', path, ...body },
      question: `Go back to release ${words[0]}${only === undefined ? '' : ` with ${only}`}?`,
      removes: 'perhaps',
    })
    if (!settled.done) return settled.exit
    tellAs(terminal, settled.answer, tellRestore)
    return exitCodeAfter(settled.answer)
  })
}

function resume(context: VerbContext): Promise<number> {
  const { terminal, options } = context
  const take = textOf(options, 'take')
  const confirm = textOf(options, 'confirm')
  if (take === undefined) throw new Misuse('Say which side is right: --take database or --take world.')
  return withApi(context, async (api) => {
    const path = `/api/releases/resume${confirm === undefined ? '' : `?confirm=${encodeURIComponent(confirm)}`}`
    const answer = await expectGood<ResumeAnswer | ResumePlan>(api, { method: 'POST', path, body: { take } })
    tellAs(terminal, answer, tellResume)
    return isPartRefused(answer) ? EXIT.failed : exitCodeAfter(answer)
  })
}
