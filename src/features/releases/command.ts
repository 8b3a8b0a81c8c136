/** `plumbline releases`: what was deployed and when; one release, what lies between two, and the way back to one. */
import { Misuse } from '../../cli/misuse.ts'
import type { ResumeAnswer, ResumePlan } from './restore/resume.ts'
import { BACK_WORDS, numberIn, RESTORE, restoringForms } from './restore/restore-command.ts'
import type { ReleaseDetail, ReleaseSummary } from './read.ts'
import type { ReleaseDiff } from './diff.ts'
import { expectGood } from '../../cli/api.ts'
import { EXIT, exitCodeAfter } from '../../cli/exit-codes.ts'
import { tellRelease, tellReleaseDiff, tellReleases } from './tell-releases.ts'
import { isPartRefused, tellResume } from './restore/tell-resume.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { tellAs } from '../../cli/text/terminal.ts'
import { textOf } from '../../cli/words/given.ts'
import { asks, withApi } from '../../cli/with-api.ts'

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
    ...restoringForms,
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

function shown(context: VerbContext): Promise<number> {
  return asks<ReleaseDetail>({
    request: ({ words }) => ({ method: 'GET', path: `/api/releases/${numberIn(words[0]!)}` }),
    text: tellRelease,
  })(context)
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
