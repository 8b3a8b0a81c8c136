/** Suites that need real servers. Where one is not installed the suite is skipped, and the end of the run says what is missing. */
import { afterEach, describe, expect, it } from 'vitest'
import { TIER } from '../kit/tier.ts'
import { kept } from './peer.ts'
import { isRequired, missingOf, type Program, remedyFor } from './programs.ts'

export type { Program }

/** The same of the deep tier: in the gate it is not there. */
export const describePeersInDepth: typeof describePeers =
  TIER === 'gate' ? () => undefined : (...suite) => describePeers(...suite)

/** A suite that starts these programs, and the one place where their absence is decided about. */
export function describePeers(programs: readonly Program[], title: string, suite: () => void): void {
  const missing = missingOf(programs)
  if (missing.length === 0) return keepingLogs(title, suite)
  const wanting = `needs ${missing.join(', ')}: ${remedyFor(missing)}`
  if (isRequired())
    it(`${title} ${wanting}`, () => {
      expect(missing).toEqual([])
    })
  // Whoever has no such server can still run the rest; CI, which can install it, runs with `PLUMBLINE_PEERS=required`.
  else describe.skip(`${title} (${wanting})`, suite)
}

function keepingLogs(title: string, suite: () => void): void {
  describe(title, () => {
    afterEach(({ task }) => {
      if (task.result?.state === 'fail') kept.on = true
    })
    suite()
  })
}
