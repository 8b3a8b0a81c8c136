/** A signal during the start: the daemon ends before it listens or writes anything outside. */
import { existsSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { runDaemon } from '../../src/daemon.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { loadConfig } from '../../src/settings-wiring.ts'
import { envIn } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

it.each([
  ['SIGTERM', 0],
  ['SIGINT', 130],
] as const)('%s while it is built ends it with %d, and nothing was opened', async (signal, code) => {
  const directory = newFolder('flow')
  const others = SIGNALS.map((name) => [name, process.listeners(name)] as const)
  onTestFinished(() => {
    for (const [name, before] of others)
      for (const listener of process.listeners(name))
        if (!before.includes(listener)) process.removeListener(name, listener)
  })
  const opened = vi.fn(async () => undefined)
  const refused = vi.fn()
  const config = loadConfig(envIn(directory))
  let routes_path = ''
  const ended = runDaemon(config, silentLog, {
    async built(daemon) {
      routes_path = daemon.routes_path
      process.emit(signal)
      await turn()
    },
    refused,
    opened,
    interrupted: 130,
  })
  expect(await ended).toBe(code)
  expect(opened).not.toHaveBeenCalled()
  expect(refused).toHaveBeenCalledOnce()
  expect(existsSync(routes_path)).toBe(false)
})
