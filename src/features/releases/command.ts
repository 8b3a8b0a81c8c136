/** `plumbline releases`: what was deployed and when; one release, what lies between two, and the way back to one. */
import { Misuse } from '../../cli/misuse.ts'
import type { ResumeAnswer, ResumePlan } from './restore/resume.ts'
import type { RestoreAnswer, RestorePlan } from './restore/restore.ts'
import type { ReleaseDetail, ReleaseSummary } from './read.ts'
import type { ReleaseDiff } from './diff.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { EXIT, exitCodeAfter } from '../../cli/exit-codes.ts'
import { tellRelease, tellReleaseDiff, tellReleases, tellRestore } from './tell-releases.ts'
import { isPartRefused, tellResume } from './restore/tell-resume.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

export const releases: Verb = {
  name: 'releases',
  takes: '[N | diff N [M] | restore N | resume --take database|world]',
  help: 'List releases, show one, show what lies between two (from N to M, or to N from the one before), restore one; decide between an older database and a newer world.',
  options: {
    limit: { type: 'string' },
    'dry-run': { type: 'boolean' },
    confirm: { type: 'string' },
    take: { type: 'string' },
  },
  async run(context) {
    const asked = ask(context)
    if (asked === null)
      throw new Misuse(
        'Say "releases", "releases N", "releases diff N [M]", "releases restore N" or "releases resume --take database|world".',
      )
    return withApi(context, asked)
  },
}

/** Answers the exit code. */
type Asked = (api: Api) => Promise<number>

/** Null for words that ask for nothing we know. */
function ask(context: VerbContext): Asked | null {
  const [first, ...rest] = context.words
  if (first === undefined) return list(context)
  if (first === 'diff' && (rest.length === 1 || rest.length === 2) && rest.every(isNumber))
    return diff(context, rest[0]!, rest[1])
  if (first === 'restore' && rest.length === 1 && isNumber(rest[0]!)) return restore(context, rest[0]!)
  if (first === 'resume' && rest.length === 0) return resume(context)
  return isNumber(first) && rest.length === 0 ? one(context, first) : null
}

const isNumber = (word: string): boolean => /^[1-9][0-9]{0,14}$/.test(word)

const list =
  (context: VerbContext): Asked =>
  async (api) => {
    const limit = context.options['limit']
    const query = typeof limit === 'string' ? `?limit=${encodeURIComponent(limit)}` : ''
    const path = `/api/releases${query}`
    return tell(
      context,
      await expectGood<readonly ReleaseSummary[]>(api, { method: 'GET', path }),
      tellReleases,
    )
  }

const one =
  (context: VerbContext, number: string): Asked =>
  async (api) => {
    const path = `/api/releases/${number}`
    return tell(context, await expectGood<ReleaseDetail>(api, { method: 'GET', path }), tellRelease)
  }

/** From the first to the second; with one number, from the release before it. */
const diff =
  (context: VerbContext, first: string, second: string | undefined): Asked =>
  async (api) => {
    const which = second === undefined ? `${first}/diff` : `${second}/diff?against=${first}`
    const path = `/api/releases/${which}`
    return tell(context, await expectGood<ReleaseDiff>(api, { method: 'GET', path }), tellReleaseDiff)
  }

const restore =
  (context: VerbContext, number: string): Asked =>
  async (api) => {
    const { 'dry-run': dry_run, confirm } = context.options
    const query = new URLSearchParams({
      ...(dry_run === true ? { dry_run: 'true' } : {}),
      ...(typeof confirm === 'string' ? { confirm } : {}),
    }).toString()
    const path = `/api/releases/${number}/restore${query === '' ? '' : `?${query}`}`
    return tell(
      context,
      await expectGood<RestoreAnswer | RestorePlan>(api, { method: 'POST', path }),
      tellRestore,
    )
  }

/** Null where the side is not named. */
function resume(context: VerbContext): Asked | null {
  const { take, confirm } = context.options
  if (take !== 'database' && take !== 'world') return null
  return async (api) => {
    const query = typeof confirm === 'string' ? `?confirm=${encodeURIComponent(confirm)}` : ''
    const path = `/api/releases/resume${query}`
    const request = { method: 'POST', path, body: { take } } as const
    const answer = await expectGood<ResumeAnswer | ResumePlan>(api, request)
    tell(context, answer, tellResume)
    return isPartRefused(answer) ? EXIT.failed : exitCodeAfter(answer)
  }
}

function tell<T extends object>(
  { terminal }: VerbContext,
  answer: T,
  text: (answer: T, terminal: VerbContext['terminal']) => void,
): number {
  if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
  else text(answer, terminal)
  return exitCodeAfter(answer)
}
