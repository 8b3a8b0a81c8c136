/** Asking for a deed in every way there is, and holding the answer against what the model says of it. */
import type { Answer } from './daemon.ts'
import { type Deed, type Model, type Outcome, outcomeOf } from './model.ts'
import { PROTECTED_NAME } from './steps.ts'
import type { Sent, Subject } from './subject.ts'

export const expectedOf = (model: Model, deed: Deed): Outcome => outcomeOf(model, deed, PROTECTED_NAME)

/** @param insists answers a guard's refusal with the plan's hash. */
export async function call(subject: Subject, deed: Deed, insists: boolean): Promise<void> {
  const before = subject.model
  const outcome = expectedOf(before, deed)
  if (outcome.accepted) subject.editions.expect(outcome.next)
  const sent = await subject.send(deed)
  const { answer, troubled } = sent
  if (!outcome.accepted) {
    if (!(troubled && answer.status >= 300)) assertRefused(answer, outcome.codes, deed)
    subject.figures.refused++
    return subject.check([before])
  }
  if (outcome.guards.length === 0) return carriedOut(subject, sent, { deed, next: outcome.next })
  if (answer.status < 300) throw new Error(`${said(deed, answer)}: not guarded`)
  if (!troubled) assertGuarded(answer, outcome.guards)
  subject.figures.guarded++
  await subject.check([before])
  if (!insists || troubled) return
  const confirmed = await subject.send(deed, `confirm=${String(answer.body['plan_hash'])}`)
  return carriedOut(subject, await asOfNow(subject, deed, { shown: answer, sent: confirmed }), {
    deed,
    next: outcome.next,
  })
}

interface Confirmed {
  readonly shown: Answer
  readonly sent: Sent
}

/**
 * A pass may have put a hand edit back since the plan was shown: the refusal shows the plan as it is now, which is confirmed.
 * Where the world that the plan looks at is the same, its hash has to hold.
 */
async function asOfNow(subject: Subject, deed: Deed, { shown, sent }: Confirmed): Promise<Sent> {
  if (codeOf(sent.answer) !== 'conflict') return sent
  const now = planIn(sent.answer)
  if (now === undefined || worldOf(now) === worldOf(planIn(shown))) return sent
  return subject.send(deed, `confirm=${now.hash}`)
}

interface RefusedPlan {
  readonly hash: string
  readonly inputs: readonly { readonly key: string; readonly digest: string | null }[]
}

const planIn = ({ body }: Answer) => (body as { readonly plan?: RefusedPlan }).plan

const worldOf = (plan: RefusedPlan | undefined): string =>
  JSON.stringify(plan?.inputs.map(({ key, digest }) => [key, digest]))

/**
 * What is acknowledged is done; what is not may be done all the same, as a whole. So it is with records that the answer says
 * were refused because the database could not be written.
 */
async function carriedOut(
  subject: Subject,
  { answer, troubled }: Sent,
  { deed, next }: { deed: Deed; next: Model },
): Promise<void> {
  const done = answer.status < 300
  if (!done && !troubled) throw new Error(said(deed, answer))
  const is_whole = done && !(troubled && answer.body['success'] === false)
  subject.figures[done ? 'done' : 'failed']++
  await subject.check(is_whole ? [next] : [subject.model, next])
}

export async function dryRun(subject: Subject, deed: Deed): Promise<void> {
  const { answer, troubled } = await subject.send(deed, 'dry_run=true')
  if (!troubled) assertPlanned(subject, deed, answer)
  subject.figures.dry_runs++
  await subject.check([subject.model])
}

interface ShownPlan {
  readonly rows: readonly { readonly domain_id: number }[]
  readonly guards: readonly { readonly rule: string }[]
  readonly actions: readonly unknown[]
}

function assertPlanned({ model, editions, standing }: Subject, deed: Deed, answer: Answer): void {
  const outcome = expectedOf(model, deed)
  if (!outcome.accepted) return assertRefused(answer, outcome.codes, deed)
  const { plan } = answer.body as unknown as { plan: ShownPlan }
  // A record that is reachable neither before nor after may leave a row behind, which goes with it.
  const concerns = (id: number) => model.released.has(id) || outcome.next.released.has(id)
  const rows = plan.rows.map(({ domain_id }) => domain_id).filter(concerns)
  const rules = plan.guards.map(({ rule }) => rule)
  // What only saves repairs nothing, whatever the world is like.
  const only_saves = deed.kind === 'create' || deed.kind === 'update'
  const true_already = only_saves || standing === editions.checksumOf(outcome.next.released.values())
  const as_expected =
    sameSet(rows, outcome.moved) &&
    sameSet(rules, outcome.guards) &&
    (plan.actions.length === 0) === true_already
  if (!as_expected)
    throw new Error(
      `${said(deed, answer)}; expected are rows ${outcome.moved.join()}, ${outcome.guards.join()}`,
    )
}

/** Two calls at once end as if one had come after the other, in either order. */
export async function together(subject: Subject, a: Deed, b: Deed): Promise<void> {
  const judged = [...subject.model.records.values()].some(({ status }) => status === 'error')
  if (judged || subject.trouble.armed.length > 0) return
  const [first, second] = [inOrder(subject, a, b), inOrder(subject, b, a)]
  const answers = await Promise.all([subject.send(a), subject.send(b)])
  const fit = (outcomes: readonly Outcome[]) =>
    outcomes.every((outcome, i) => fits(answers[i]!.answer, outcome))
  const possible = [
    ...(fit(first.outcomes) ? [first.model] : []),
    ...(fit(second.outcomes.toReversed()) ? [second.model] : []),
  ]
  if (possible.length === 0)
    throw new Error(`${JSON.stringify([a, b])} together: ${JSON.stringify(answers)}, which no order gives`)
  subject.figures.together++
  await subject.check(possible)
}

function fits(answer: Answer, outcome: Outcome): boolean {
  if (!outcome.accepted) return outcome.codes.includes(codeOf(answer))
  if (outcome.guards.length > 0) return codeOf(answer) === 'refused_by_guard'
  return answer.status < 300
}

function inOrder(
  { model: start, editions }: Subject,
  ...deeds: readonly Deed[]
): { model: Model; outcomes: readonly Outcome[] } {
  let model = start
  const outcomes = deeds.map((deed) => {
    const outcome = expectedOf(model, deed)
    if (outcome.accepted && outcome.guards.length === 0) model = outcome.next
    editions.expect(model)
    return outcome
  })
  return { model, outcomes }
}

/** Two records take each other's name, saved and not deployed. */
export async function swap(subject: Subject, a: number, b: number): Promise<void> {
  const [one, other] = [subject.model.records.get(a), subject.model.records.get(b)]
  if (one === undefined || other === undefined || a === b) return
  const rename = (id: number, domain: string) =>
    call(subject, { kind: 'update', id, change: { domain } }, false)
  await rename(a, 'aside.example.com')
  await rename(b, one.fields.domain)
  await rename(a, other.fields.domain)
}

function assertRefused(answer: Answer, codes: readonly string[], deed: Deed): void {
  if (!codes.includes(codeOf(answer))) throw new Error(`${said(deed, answer)}, not ${codes.join(' or ')}`)
}

export function assertGuarded(answer: Answer, guards: readonly string[]): void {
  const rules = ((answer.body['guards'] ?? []) as { rule: string }[]).map(({ rule }) => rule)
  if (codeOf(answer) !== 'refused_by_guard' || !sameSet(rules, guards))
    throw new Error(`guards ${guards.join()} expected, got ${JSON.stringify(answer.body)}`)
}

const sameSet = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((member) => b.includes(member))

export const said = (deed: unknown, { status, body }: Answer): string =>
  `${JSON.stringify(deed)} was answered ${status} ${JSON.stringify(body)}`

const codeOf = ({ body }: Answer): string => String(body['code'])
