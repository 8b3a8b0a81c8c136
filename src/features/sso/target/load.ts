/**
 * Making the provider take what is written: have it restarted, and see that it comes up. If it does not, the rules with
 * which it last ran are put back.
 */
import type { Clock } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { RefusedRepair } from '../../../model/report.ts'
import type { ManagedFile } from '../../../ports/files.ts'
import type { FileChange, RestartWitness, SharedRestarts, SsoProvider } from '../../../ports/sso-provider.ts'
import type { Store } from '../../../ports/store.ts'
import type { RefusedRules } from './refused.ts'
import { ssoRecords } from '../records.ts'

export interface LoadParts {
  readonly file: ManagedFile
  /** When the file last changed; null where there is none. */
  readonly changed: () => FileChange | null
  readonly provider: SsoProvider
  readonly restarts: SharedRestarts
  readonly store: Pick<Store, 'write' | 'of'>
  readonly refused: RefusedRules
  readonly clock: Clock
}

export const RULES_MODE = 0o644

/** Null when it is done, or when it is nobody's to be done here. */
export async function load(parts: LoadParts, signal: AbortSignal): Promise<RefusedRepair | null> {
  const { provider, restarts, file } = parts
  if (provider.restarts === 'none') return null
  const { restarted, healthy } = await restarts.restart(signal)
  if (healthy === false) {
    const look = await file.look(signal)
    const present = look.kind === 'file' ? textOf(look.bytes) : null
    return putBack(parts, { present, began: restarted.ok }, signal)
  }
  return restarted.ok
    ? null
    : refused(
        `The SSO provider could not be restarted: ${restarted.why}. It runs with its earlier rules; the file is right and waits.`,
      )
}

/**
 * Notes with which rules the provider came up, whoever had it restarted. A file that was changed meanwhile is not noted:
 * nobody knows which of the two was read.
 */
export function rulesWitness({
  file,
  store,
  clock,
  changed,
  provider,
}: Omit<LoadParts, 'refused'>): RestartWitness {
  return async () => {
    const before = changed()
    return async (attempt, signal) => {
      const came_up = attempt?.restarted.ok === true && attempt.restarted.proven && attempt.healthy !== false
      if (!came_up || before === null) return
      const started_at = await provider.startedAt(signal).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof Failure)) throw error
        return null
      })
      const look = await file.look(signal)
      if (changed()?.stamp !== before.stamp || look.kind !== 'file') return
      const text = textOf(look.bytes)
      const known = { place: file.path, stamp: before.stamp, text, at: clock.now(), started_at }
      await store.write((tx) => tx.of(ssoRecords).saveSsoLoad(known))
    }
  }
}

/** What the provider last ran with is known to work, and a sign-in page that is down helps nobody. */
async function putBack(
  parts: LoadParts,
  { present, began }: { readonly present: string | null; readonly began: boolean },
  signal: AbortSignal,
): Promise<RefusedRepair> {
  const { store, file, restarts } = parts
  const down = 'The SSO provider did not answer well after its restart'
  const good = await store.of(ssoRecords).ssoLoad()
  if (good === null || good.place !== file.path || good.text === present)
    return refused(`${down}; look at its log. Until it is up, protected routes are closed.`)
  await file.replace([Buffer.from(good.text)], { mode: RULES_MODE, evidence: true }, signal)
  const { restarted, healthy } = await restarts.restart(signal)
  // A restart that did not begin says nothing of the rules.
  if (began && restarted.ok && healthy === true && present !== null)
    await parts.refused.byRestart(present, `${down}, which came up again with those before.`)
  return refused(
    healthy === true
      ? `${down}, so the rules with which it last ran were put back. What it did not take is kept beside the file.`
      : `${down}, nor with the rules with which it last ran, which are put back; look at its log.`,
  )
}

const refused = (message: string): RefusedRepair => ({
  code: 'component_unavailable',
  message,
  retry_after_ms: 0,
})

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')
