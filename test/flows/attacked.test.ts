/**
 * Strangers from eight addresses who ask without reading, hold on without asking, and come back at once. Everybody else
 * is served as ever, and afterwards nothing of it is left.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { childEnv } from '../kit/child.ts'
import { programOf } from '../kit/programs.ts'
import type { Figures } from './children/attacked.ts'
import { envIn } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const KEY = 'a-key-of-more-than-24-characters'

const program = (name: string) => programOf(new URL(`children/${name}.ts`, import.meta.url))

function child(name: string, words: string[], env: Record<string, string>): ChildProcess {
  const started = fork(program(name), words, { env, execArgv: ['--max-semi-space-size=8'] })
  onTestFinished(async () => {
    const gone = started.exitCode !== null || started.signalCode !== null || once(started, 'exit')
    started.kill('SIGKILL')
    await gone
  })
  return started
}

async function attackedHouse() {
  const directory = newFolder('attacked')
  const env = { ...childEnv(), ...envIn(directory), PLUMBLINE_LISTEN: '[::]:0', API_KEY: KEY }
  const house = child('attacked', [], env)
  const [address] = (await once(house, 'message')) as [string]
  const port = Number(new URL(address).port)
  const figures = async (): Promise<Figures> => {
    house.send('figures')
    const [reported] = (await once(house, 'message')) as [Figures]
    return reported
  }
  // What every daemon makes once, at its first reader.
  expect(await asked(port, '/openapi.json', new Agent())).toBe(200)
  await pause(1000)
  const before = await figures()
  return { port, figures, before }
}

/**
 * From `::1`, which is another holder than 127.0.0.0/8. Where the machine had no time for seconds a kept connection may be
 * about to close: as every client does, the call is made again then.
 */
function asked(port: number, path: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host: 'localhost', 'x-api-key': KEY }
    const call = request({ host: '::1', port, path, agent, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode!))
    })
    call.once('error', (error) => {
      if (call.reusedSocket) asked(port, path, agent).then(resolve, reject)
      else reject(error)
    })
    call.end()
  })
}

/** Asks for so long, one after another, half of it over new connections. Answers how long the slowest of 99 in 100 took. */
async function p99(port: number, max_ms: number): Promise<number> {
  const kept = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => kept.destroy())
  const times: number[] = []
  const began = performance.now()
  for (let turn = 0; performance.now() - began < max_ms; turn++) {
    const start = performance.now()
    const path = turn % 4 < 2 ? '/health' : '/api/domains/stats'
    expect(await asked(port, path, turn % 2 === 0 ? kept : new Agent())).toBe(200)
    times.push(performance.now() - start)
    await pause(5)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
}

test('1,300 requests for the document in one packet, whose answers nobody reads, take no memory and hold nobody up', async () => {
  const { port, figures, before } = await attackedHouse()
  const stranger = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void stranger.destroy())
  stranger.pause().write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1300))
  for (let turn = 0; turn < 20; turn++) {
    expect(await asked(port, '/health', new Agent())).toBe(200)
    await pause(50)
  }
  const after = await figures()
  expect(after.peak_mib - before.resident_mib).toBeLessThan(50)
  expect(after.held_ms).toBeLessThan(100)
})

const ATTACK_MS = 60_000

/** A heap that has not been cleared for a while; an attack took a thousand within seconds. */
const MAX_MIB = 150
const TIMEOUT_MS = 300_000

itInDepth(
  `an attack of ${ATTACK_MS / 1000} seconds is not felt by others, and nothing stays of it`,
  { timeout: TIMEOUT_MS },
  async () => {
    const { port, figures, before } = await attackedHouse()
    const quiet_ms = await p99(port, Math.min(ATTACK_MS, 10_000))
    const quiet = await figures()
    const attacker = child('attacker', [String(port)], childEnv())
    const attacked_ms = await p99(port, ATTACK_MS)
    const during = await figures()
    const words = { before, quiet, during, quiet_ms, attacked_ms }
    expect(during.peak_mib - before.resident_mib, JSON.stringify(words)).toBeLessThan(MAX_MIB)
    expect(during.held_ms, JSON.stringify(words)).toBeLessThan(100)
    // Generous where others use the machine, too: those who ask are slow then by themselves.
    expect(attacked_ms, JSON.stringify(words)).toBeLessThan(Math.max(500, quiet_ms * 20))
    expect(during.connections).toBeGreaterThan(20)
    attacker.send('hold')
    // The longest limit is half a minute.
    const connections = async () => (await figures()).connections
    await expect
      .poll(connections, { timeout: 120_000, interval: 5000 })
      .toBeLessThanOrEqual(before.connections)
    const after = await figures()
    process.stdout.write(`${JSON.stringify({ ...words, after })}\n`)
    expect(after.resident_mib - before.resident_mib).toBeLessThan(MAX_MIB)
  },
)
