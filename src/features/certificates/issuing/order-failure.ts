/** What ends an attempt, told apart by what it means for the order: dead, to be tried again, or merely not done yet. */
import { Failure } from '../../../kernel/failure.ts'
import type { OrderStep } from '../../../model/network/certificate.ts'
import type { Ladder } from './backoff.ts'

type Rest = Partial<Pick<OrderFailure, 'ladder' | 'dead' | 'failed_names' | 'nothing_issued'>>

export class OrderFailure extends Error {
  readonly failure: Failure
  readonly ladder: Ladder
  /** The order leads nowhere any more. */
  readonly dead: boolean
  /** Names whose validation failed at the authority. */
  readonly failed_names: readonly string[]
  /** The authority itself says that no certificate came of it. */
  readonly nothing_issued: boolean

  constructor(failure: Failure, rest: Rest) {
    super(failure.message, { cause: failure })
    this.name = 'OrderFailure'
    this.failure = failure
    this.ladder = rest.ladder ?? 'here'
    this.dead = rest.dead ?? false
    this.failed_names = rest.failed_names ?? []
    this.nothing_issued = rest.nothing_issued ?? false
  }
}

/** @param why a sentence with its cure */
export const deadOrder = (why: string, rest: Rest & Pick<OrderFailure, 'ladder'>): OrderFailure =>
  new OrderFailure(new Failure(rest.ladder === 'here' ? 'component_unavailable' : 'provider_refused', why), {
    ...rest,
    dead: true,
  })

/** Runs a call to an authority: what it refuses is told apart from what did not reach it. */
export async function asked<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw error instanceof Failure ? (ofAuthority(error) ?? error) : error
  }
}

function ofAuthority(failure: Failure): OrderFailure | null {
  const ladder = 'authority'
  if (failure.code === 'provider_refused') return new OrderFailure(failure, { ladder, dead: true })
  if (failure.code === 'provider_busy') return new OrderFailure(failure, { ladder })
  if (failure.code !== 'provider_credentials') return null
  return new OrderFailure(failure, { ladder, dead: isOfAnotherAccount(failure) })
}

/** An order that another account key made can be neither read nor continued. */
const isOfAnotherAccount = ({ details }: Failure): boolean => details.facts?.['problem'] === 'unauthorized'

/** Nothing went wrong: it takes longer than a caller should wait. */
export const unfinished = (step: OrderStep, message: string): Failure =>
  new Failure('component_unavailable', message, {
    retry_after_ms: LOOK_AGAIN_MS,
    facts: { unfinished: true, step },
  })
const LOOK_AGAIN_MS = 30_000

/** We refuse it before we ask the authority anything: no failure is recorded. */
export const notNow = (code: Failure['code'], message: string, retry_after_ms: number): Failure =>
  new Failure(code, message, { retry_after_ms, facts: { not_now: true } })

export const isQuiet = ({ details }: Failure): boolean =>
  details.facts?.['unfinished'] === true || details.facts?.['not_now'] === true
