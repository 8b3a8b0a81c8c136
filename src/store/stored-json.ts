/** JSON that we wrote ourselves. If it does not read back, the file under it is damaged. */
import { Failure } from '../kernel/failure.ts'

/** Throws `database_corrupt`. The shape is the writer's promise; only syntax is checked here. */
export function storedJson<T>(text: string): T {
  try {
    return JSON.parse(text) as T
  } catch (cause) {
    throw damagedValue('is no JSON', text, cause)
  }
}

export const damagedValue = (fault: string, text: string, cause?: unknown): Failure =>
  new Failure(
    'database_corrupt',
    `A stored value ${fault}: the database is damaged. Stop, and restore a backup.`,
    {
      inside: text.slice(0, 200),
      cause,
    },
  )
