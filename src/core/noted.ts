/**
 * Answers of endpoints that look at what the status page looks at, too: what they have found is on the page before the answer
 * goes out.
 */
import type { Clock, Milliseconds } from '../kernel/clock.ts'
import type { LookedAt } from './check.ts'

/** Where findings are noted, and looked for. */
export interface Page {
  readonly clock: Clock
  readonly health: {
    readonly rounds: {
      note(name: string, looked: LookedAt, began_ms: Milliseconds): void
      look(name: string): Promise<void>
    }
  }
}

/** @param findings what the answer says of parts of the page, by their names */
export async function noted<T>(
  { clock, health }: Page,
  answering: () => Promise<T>,
  findings: Readonly<Record<string, (answer: T) => LookedAt>>,
): Promise<T> {
  const began_ms = clock.elapsed()
  const answer = await answering()
  for (const [name, evaluate] of Object.entries(findings))
    health.rounds.note(name, evaluate(answer), began_ms)
  return answer
}
