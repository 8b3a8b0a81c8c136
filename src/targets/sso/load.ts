/**
 * Making the provider take what is written: restart it, at most once in a while, and see that it comes up. If it does not,
 * the rules with which it last ran are put back.
 */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { RefusedRepair } from '../../model/report.ts'
import type { ManagedFile } from '../../ports/files.ts'
import type { FileChange, SsoProvider } from '../../ports/sso-provider.ts'
import type { Store } from '../../ports/store.ts'

export interface LoadParts {
  readonly file: ManagedFile
  /** When the file last changed; null where there is none. */
  readonly changed: () => FileChange | null
  readonly provider: SsoProvider
  readonly store: Pick<Store, 'write' | 'ssoLoad' | 'ssoRestartedAt'>
  readonly clock: Clock
  /** Least time between two restarts. */
  readonly restart_gap_ms: Milliseconds
}

/** How long the provider may take to answer well after a restart. */
export const COMES_UP_WITHIN_MS: Milliseconds = 30_000
const ASK_EVERY_MS: Milliseconds = 250

export const RULES_MODE = 0o644

/** Null when it is done, or when it is nobody's to be done here. */
export async function load(parts: LoadParts, signal: AbortSignal): Promise<RefusedRepair | null> {
  const { provider, store, file, clock, changed } = parts
  if (provider.restarts === 'none') return null
  const { restarted, healthy } = await restartOnce(parts, signal)
  const change = changed()
  const look = await file.look(signal)
  if (!healthy) return putBack(parts, look.kind === 'file' ? textOf(look.bytes) : null, signal)
  if (!restarted.ok)
    return refused(
      `The SSO provider could not be restarted: ${restarted.why}. It runs with its earlier rules; the file is right and waits.`,
    )
  if (restarted.proven && change !== null && look.kind === 'file') {
    const known = { place: file.path, stamp: change.stamp, text: textOf(look.bytes), at: clock.now() }
    await store.write((tx) => tx.saveSsoLoad(known))
  }
  return null
}

async function restartOnce(parts: LoadParts, signal: AbortSignal) {
  const { store, clock, provider, restart_gap_ms } = parts
  const last = await store.ssoRestartedAt()
  const now = clock.now()
  // A time ahead of ours was kept under a wrong clock; it must not hold anybody up for longer than the gap.
  const wait = last === null ? 0 : Math.min(Math.max(last + restart_gap_ms - now, 0), restart_gap_ms)
  if (wait > 0) await clock.sleep(wait, signal)
  await store.write((tx) => tx.saveSsoRestart(clock.now()))
  const restarted = await provider.restart(signal)
  return { restarted, healthy: await comesUp(parts, signal) }
}

async function comesUp({ provider, clock }: LoadParts, signal: AbortSignal): Promise<boolean> {
  const until = clock.elapsed() + COMES_UP_WITHIN_MS
  for (;;) {
    if (await provider.isHealthy(signal)) return true
    if (clock.elapsed() >= until) return false
    await clock.sleep(ASK_EVERY_MS, signal)
  }
}

/** What the provider last ran with is known to work, and a sign-in page that is down helps nobody. */
async function putBack(
  parts: LoadParts,
  present: string | null,
  signal: AbortSignal,
): Promise<RefusedRepair> {
  const { store, file } = parts
  const down = `The SSO provider did not answer well within ${COMES_UP_WITHIN_MS / 1000} s after its restart`
  const good = await store.ssoLoad()
  if (good === null || good.place !== file.path || good.text === present)
    return refused(`${down}; look at its log. Until it is up, protected routes are closed.`)
  await file.replace([Buffer.from(good.text)], { mode: RULES_MODE, evidence: true }, signal)
  const { healthy } = await restartOnce(parts, signal)
  return refused(
    healthy
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
