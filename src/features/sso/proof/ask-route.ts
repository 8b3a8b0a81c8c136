/** Asks a route every one of its questions, one after another, and takes the worst answer for the route's. */
import { Failure } from '../../../kernel/failure.ts'
import { type ProbeAnswer, type ProbeQuestion, schemeOf, type SsoProbe } from '../probe-port.ts'
import { evaluateAnswer, needsProvider, type AnswerEvaluation } from './evaluate.ts'
import type { Ask, ProvenRoute } from './provable.ts'

export interface AskParts {
  readonly probe: SsoProbe
  /** The SSO provider itself, asked as the proxy asks it: what a refusal of its own looks like. */
  readonly provider: SsoProbe
}

export interface RouteEvaluation {
  readonly result: 'closed' | 'open' | 'unknown'
  readonly evidence: string
  /** Somebody answered. */
  readonly reached: boolean
}

/** Ends at the first question whose answer is open: there is nothing worse. */
export async function askRoute(
  parts: AskParts,
  route: ProvenRoute,
  signal: AbortSignal,
): Promise<RouteEvaluation> {
  const found: Answered[] = []
  for (const ask of route.asks) {
    const one = await askOne(parts, route, ask, signal)
    found.push(one)
    // Who does not answer the first question is not waited for again.
    if (one.result === 'open' || !one.reached) break
  }
  return worst(found)
}

type Answered = AnswerEvaluation & { readonly reached: boolean }

function worst(found: readonly Answered[]): RouteEvaluation {
  const first = (result: AnswerEvaluation['result']) => found.find((one) => one.result === result)
  const reached = found.some((one) => one.reached)
  const worst_seen = first('open') ?? first('unknown') ?? first('closed')
  if (worst_seen !== undefined && worst_seen.result !== 'passed_on')
    return { result: worst_seen.result, evidence: worst_seen.evidence, reached }
  return {
    result: 'unknown',
    evidence: `${found[0]?.evidence ?? 'it was asked nothing'}, which proves nothing`,
    reached,
  }
}

async function askOne(
  { probe, provider }: AskParts,
  { host, by_address, by_own_check }: ProvenRoute,
  { door, path }: Ask,
  signal: AbortSignal,
): Promise<Answered> {
  const question: ProbeQuestion = { door, host, path }
  try {
    const answer = await probe.ask(question, signal)
    const checks = { by_address, by_own_check }
    const said = needsProvider(answer, checks) ? await ofProvider(provider, question, signal) : null
    const { result, evidence } = evaluateAnswer(answer, { door, host, ...checks, provider: said })
    return { result, evidence: `${evidence}${at(question)}`, reached: true }
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return { result: 'unknown', evidence: error.message, reached: false }
  }
}

/** The usual question needs no address. */
const at = ({ door, host, path }: ProbeQuestion): string =>
  door === 'tls' && path === '/' ? '' : ` at ${schemeOf(door)}://${host}${path}`

async function ofProvider(
  provider: SsoProbe,
  question: ProbeQuestion,
  signal: AbortSignal,
): Promise<ProbeAnswer | null> {
  try {
    return await provider.ask(question, signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return null
  }
}
