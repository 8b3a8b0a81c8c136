/** The end of a wait for a target that does not heed its own. */
import { Failure } from '../kernel/failure.ts'
import type { Report } from '../model/report.ts'
import type { AnyTarget } from './target.ts'

/** A target that ignores its signal must not hold a caller: half a second after the deadline the wait ends. */
export async function withinDeadline(
  work: Promise<Report>,
  target: AnyTarget,
  signal: AbortSignal,
): Promise<Report> {
  const overdue = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | null = null
  const give_up = () => {
    timer = setTimeout(() => overdue.reject(endOf(signal, target)), 500)
  }
  signal.addEventListener('abort', give_up, { once: true })
  try {
    return await Promise.race([work, overdue.promise])
  } finally {
    signal.removeEventListener('abort', give_up)
    if (timer !== null) clearTimeout(timer)
  }
}

/** The daemon's end says nothing about the target. */
const endOf = ({ reason }: AbortSignal, target: AnyTarget): Failure =>
  reason instanceof Failure
    ? reason
    : new Failure('component_unavailable', `${target.name} did not answer within ${target.deadline_ms} ms.`)
