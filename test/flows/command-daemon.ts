/**
 * The daemon that a command speaks to. In the gate it shares the process of the test: whatever the command sees of it is the
 * same, and it starts in a twentieth of the processor time. In depth it has a process of its own, as everybody's has.
 */
import { expect } from 'vitest'
import { buildDaemon } from '../../src/build-daemon.ts'
import { loadConfig } from '../../src/settings-wiring.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { inProcessRules } from '../kit/in-process-rules.ts'
import { layInstallation } from '../kit/new-installation.ts'
import { TIER } from '../kit/tier.ts'
import { start } from './command.ts'

export interface ServedDaemon {
  /** Tells it to stop; it must end as it should. */
  stop(): Promise<void>
}

type Env = Readonly<Record<string, string>>

/** Resolves once it listens. */
export const serve = (env: Env): Promise<ServedDaemon> =>
  TIER === 'gate' ? serveInside(env) : serveApart(env)

async function serveInside(env: Env): Promise<ServedDaemon> {
  await layInstallation(env['PLUMBLINE_DATA_DIR']!)
  const daemon = await buildDaemon(loadConfig({ ...env }), { log: silentLog, invariants: inProcessRules })
  await daemon.open()
  return { stop: () => daemon.close() }
}

async function serveApart(env: Env): Promise<ServedDaemon> {
  const daemon = start(['serve'], env)
  await daemon.saw('"listening"')
  return {
    async stop() {
      const { code, err } = await daemon.stop()
      expect(code, err).toBe(0)
    },
  }
}
