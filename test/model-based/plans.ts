/** Plans that are kept and applied later: exactly as they were, while nothing moved, in their time, and once. */
import { assertGuarded, expectedOf, said } from './calls.ts'
import type { Deed, Model } from './model.ts'
import type { Sent, Subject } from './subject.ts'

export type Scope = 'all' | 'component' | number

const PLAN_LIFE_MS = 15 * 60_000

interface KeptPlan {
  readonly id: string
  readonly scope: Scope
  readonly model: Model
  /** What stood at the path; null when somebody or something came between. */
  readonly standing: string | null
  readonly expires_at: number
  applied: boolean
  /** It was not acknowledged, which does not say that it was not done. */
  tried_in_trouble: boolean
}

export class Plans {
  readonly #subject: Subject
  readonly #kept: KeptPlan[] = []

  constructor(subject: Subject) {
    this.#subject = subject
  }

  async make(scope: Scope): Promise<void> {
    const { model, standing, clock } = this.#subject
    const { answer, troubled } = await this.#subject.ask('POST', '/api/plans', requestFor(scope))
    const made = answer.status === 201
    const possible = scope === 'component' || expectedOf(model, workOf(scope)).accepted
    if (!troubled && made !== possible) throw new Error(said({ plan: scope }, answer))
    const expires_at = clock.now() + PLAN_LIFE_MS
    // A plan that rests on a failed look may find another world.
    const seen = troubled ? null : standing
    const { id } = answer.body as { id: string }
    if (made)
      this.#kept.push({
        id,
        scope,
        model,
        standing: seen,
        expires_at,
        applied: false,
        tried_in_trouble: false,
      })
    await this.#subject.check([model])
  }

  /** @param number counts round; -1 is the newest. */
  async apply(number: number): Promise<void> {
    const plan = this.#kept.at(number < 0 ? number : number % Math.max(this.#kept.length, 1))
    if (plan === undefined) return
    const { model: before, standing, clock, figures } = this.#subject
    const next = after(before, plan.scope)
    const expired = clock.now() >= plan.expires_at
    const usable = !expired && !plan.applied && !plan.tried_in_trouble
    const unmoved = usable && before === plan.model && standing === plan.standing
    this.#subject.editions.expect(next)
    const { answer, troubled } = await this.#confirmed(plan, unmoved ? guardsOf(before, plan.scope) : [])
    const done = answer.status < 300
    const words = said({ plan: plan.scope }, answer)
    if (done && plan.applied) throw new Error(`${words}: applied twice`)
    if (done && expired) throw new Error(`${words}: it has expired`)
    if (!done && unmoved && !troubled) throw new Error(`${words}, though nothing had moved`)
    plan.applied ||= done
    plan.tried_in_trouble ||= troubled
    figures[done ? 'plans_applied' : 'plans_refused']++
    await this.#subject.check(done ? [next] : [before, next])
  }

  /** Where guards stand in the way, they refuse it, nothing is done, and the plan's hash lifts them. */
  async #confirmed({ id, model }: KeptPlan, guards: readonly string[]): Promise<Sent> {
    const path = `/api/plans/${id}/apply`
    const sent = await this.#subject.ask('POST', path, {})
    if (guards.length === 0 || sent.troubled) return sent
    assertGuarded(sent.answer, guards)
    await this.#subject.check([model])
    return this.#subject.ask('POST', path, { confirm: sent.answer.body['plan_hash'] })
  }
}

function guardsOf(model: Model, scope: Scope): readonly string[] {
  const outcome = scope === 'component' ? null : expectedOf(model, workOf(scope))
  return outcome?.accepted === true ? outcome.guards : []
}

function requestFor(scope: Scope): unknown {
  if (scope === 'all') return {}
  return scope === 'component' ? { component: 'routes' } : { domain: scope }
}

const workOf = (scope: 'all' | number): Deed =>
  scope === 'all' ? { kind: 'deploy-all' } : { kind: 'deploy', id: scope }

/** A repair of a component moves no record. */
function after(model: Model, scope: Scope): Model {
  if (scope === 'component') return model
  const outcome = expectedOf(model, workOf(scope))
  return outcome.accepted ? outcome.next : model
}
