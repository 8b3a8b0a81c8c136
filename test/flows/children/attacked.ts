/**
 * A house that listens, and tells what strangers cost it: its memory, and how long its event loop stood still at most, in
 * time of its own processor. A look every few milliseconds sees what the loop did since the last one.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { loadConfig } from '../../../src/settings-wiring.ts'
import { buildDaemon } from '../../../src/build-daemon.ts'
import { silentLog } from '../../../src/kernel/log.ts'

export interface Figures {
  readonly resident_mib: number
  /** Since the last report. */
  readonly peak_mib: number
  /** The longest stretch without a turn of the event loop since the last report, and a few milliseconds more. */
  readonly held_ms: number
  readonly connections: number
}

const LOOK_EVERY_MS = 2

let held_ms = 0
let last = process.threadCpuUsage()
setInterval(() => {
  const { user, system } = process.threadCpuUsage(last)
  held_ms = Math.max(held_ms, (user + system) / 1000)
  last = process.threadCpuUsage()
}, LOOK_EVERY_MS)

function figures(): Figures {
  const status = readFileSync('/proc/self/status', 'utf8')
  const mib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
  const connections = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  const report = { resident_mib: mib('VmRSS'), peak_mib: mib('VmHWM'), held_ms, connections }
  held_ms = 0
  // The peak begins anew.
  writeFileSync('/proc/self/clear_refs', '5')
  return report
}

const house = await buildDaemon(loadConfig(process.env), { log: silentLog })
const address = await house.open()
process.on('message', () => process.send!(figures()))
process.once('disconnect', () => process.exit())
process.send!(address)
