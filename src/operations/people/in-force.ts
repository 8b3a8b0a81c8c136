/** Bringing what the database says of one person into the users file, and finding out whether it is there. */
import type { Engine } from '../../engine/engine.ts'
import { Failure } from '../../kernel/failure.ts'
import { isGood, type RefusedRepair, type Report } from '../../model/report.ts'
import { PEOPLE } from './desk.ts'

/** Throws a Failure that says why the file does not say it. Trouble that is others' alone is none of this person's. */
export async function bringIntoFile(engine: Engine, username: string): Promise<void> {
  const [report] = await engine.converge('open', { component: PEOPLE })
  if (report === undefined)
    throw new Failure('component_unavailable', 'Users are not managed here: set PLUMBLINE_SSO_USERS_FILE.')
  const refused = refusalFor(report, username)
  if (refused === null) return
  const { code, message, retry_after_ms } = refused
  throw new Failure(code, message, retry_after_ms === 0 ? {} : { retry_after_ms })
}

function refusalFor(report: Report, username: string): RefusedRepair | null {
  if (isGood(report)) return null
  if (report.refusals.length === 0)
    return (
      report.failure ?? { code: 'component_unavailable', message: 'It was left drifting.', retry_after_ms: 0 }
    )
  return report.refusals.find(({ item }) => item === `user ${username}`)?.failure ?? null
}
