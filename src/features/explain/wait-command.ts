/** `plumbline wait`: until the world is what the database says, with a deadline. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { domainId } from '../../cli/find-domain.ts'
import { notSetUpHere } from '../../cli/not-set-up.ts'
import { suspendedAmong } from '../../cli/suspended.ts'
import { tellProse } from '../../cli/text/table.ts'
import { tellAs } from '../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'
import { spanOf } from '../../cli/words/given.ts'
import { Failure } from '../../kernel/failure.ts'
import { shellWord } from '../../kernel/text/shell-word.ts'
import type { ExplainedDomain } from './explained.ts'
import type { DriftAnswer } from './read-drift.ts'

const USUAL_MS = 5 * 60_000
const FIRST_MS = 500
const MAX_MS = 5000

/** What people say for how long. */
const SPANS: ReadonlySet<string> = new Set(['timeout', 'until', 'max', 'deadline', 'time', 'duration'])

export const wait: Verb = {
  name: 'wait',
  help: 'Waits until the world is what the database says.',
  notes: [
    'Exit code 0 as soon as it is, 2 where it still differs at the deadline, 3 where that is not known, as of what is suspended. A daemon that is away is waited for, too.',
  ],
  forms: [
    {
      words: '[DOMAIN]',
      help: 'Waits for everything, or for one domain by name or id.',
      options: { for: { value: 'TIME', help: 'At most so long, such as 30s or 10m; 5m when left out.' } },
      meant: (option) => (SPANS.has(option) ? 'How long is --for: plumbline wait --for 2m.' : null),
      examples: [
        ['deploy --all --yes && plumbline wait --for 2m', 'Goes on when it has arrived.'],
        ['wait app.example.com', 'Until this one is as it should be.'],
      ],
      run: waited,
    },
  ],
}

interface Found {
  /** As of any drift: false clean, true dirty, null unknown. */
  readonly drift: boolean | null
  readonly reason: string
}

async function waited(context: VerbContext): Promise<number> {
  const { terminal, options } = context
  const until = Date.now() + (spanOf(options, 'for') ?? USUAL_MS)
  let pause = FIRST_MS
  for (;;) {
    const found = await look(context)
    const left = until - Date.now()
    if (found.drift === false || left <= 0) {
      terminal.status?.(null)
      tellAs(terminal, found, ({ drift, reason }) =>
        tellProse(terminal, drift === false ? reason : `Gave up waiting. ${reason}`),
      )
      if (found.drift === null) return EXIT.unknown
      return found.drift ? EXIT.drift : EXIT.ok
    }
    terminal.status?.(`${found.reason} Waiting, ${Math.ceil(left / 1000)} s left.`)
    await sleep(Math.min(pause, left))
    pause = Math.min(pause * 2, MAX_MS)
  }
}

/** Whatever keeps us from looking leaves it unknown; a name that is wrong is the caller's to mend. */
async function look(context: VerbContext): Promise<Found> {
  const [word] = context.words
  try {
    return await withApi(context, async (api) => {
      if (word === undefined)
        return ofAll(api, await expectGood<DriftAnswer>(api, { method: 'GET', path: '/api/drift' }))
      const path = `/api/domains/${await domainId(api, word)}/explain`
      const found = ofOne(await expectGood<ExplainedDomain>(api, { method: 'GET', path }))
      const unseen = found.drift === false ? await notSetUpHere(api) : null
      return unseen === null ? found : { drift: null, reason: unseen }
    })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'component_unavailable') throw error
    return { drift: null, reason: error.message }
  }
}

async function ofAll(api: Api, { drift, components }: DriftAnswer): Promise<Found> {
  if (drift === false) {
    const names = components.map(({ component }) => component)
    const reason = (await notSetUpHere(api)) ?? (await suspendedAmong(api, names))
    return reason === null ? { drift, reason: ALL_CLEAN } : { drift: null, reason }
  }
  const wrong = components.filter((one) => (drift === null ? one.drift === null : one.drift === true))
  const [first] = wrong
  if (first === undefined) return { drift, reason: 'What is saved is not deployed: plumbline plan.' }
  const names = wrong.map(({ key }) => key).join(', ')
  if (drift === null) return { drift, reason: `${names} cannot be read: ${first.reason ?? 'no answer'}` }
  const cause = first.differences[0]?.detail
  return {
    drift,
    reason: `${names} ${wrong.length === 1 ? 'differs' : 'differ'} from the database${cause === undefined ? '.' : `: ${cause}`}`,
  }
}

const ALL_CLEAN = 'Everything is what the database says.'

function ofOne({ domain, components, pending }: ExplainedDomain): Found {
  const wrong = components.filter(({ condition }) => condition.status === 'false')
  const unknown = components.filter(({ condition }) => condition.status === 'unknown')
  const messages = (some: typeof components) =>
    some
      .map(({ component, condition: { message } }) =>
        message.startsWith(`${component} `) ? message : `${component}: ${message}`,
      )
      .join(' ')
  if (wrong.length > 0) return { drift: true, reason: `${domain}: ${messages(wrong)}` }
  if (pending)
    return {
      drift: true,
      reason: `${domain} is saved and not deployed: plumbline deploy ${shellWord(domain)}.`,
    }
  if (unknown.length > 0) return { drift: null, reason: `${domain}: ${messages(unknown)}` }
  return { drift: false, reason: `${domain} is as it should be.` }
}
