/**
 * Processor time of a server for each request: a record that is read and one that is saved, with a key, over 16 connections; beside a bare
 * node:http server and a stock Hono app that answer as many bytes and do nothing. `OTHER_MAIN=path/to/src/main.ts` measures another
 * state of the source in the same rounds.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../kit/ports.ts'
import { type Answer, type Ask, askAt, KEY, untilUp } from './ask.ts'
import { median, type Row } from './measure.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const BARE = fileURLToPath(new URL('children/bare-http.ts', import.meta.url))
const CONNECTIONS = 16
const READS = 4000
const SAVES = 800
const ROUNDS = 5

export async function requestRows(): Promise<Row[]> {
  const other = process.env['OTHER_MAIN']
  const ours = await started('ours', [MAIN, 'serve'])
  const servers = [ours]
  try {
    const record = await ours.call('POST', '/api/domains', body(0))
    if (record.status !== 201) throw new Error(`a record: ${record.status} ${record.text.slice(0, 300)}`)
    const bytes = String(record.text.length)
    servers.push(await started('node:http', [BARE], [bytes, 'node']))
    servers.push(await started('stock Hono', [BARE], [bytes, 'hono']))
    if (other !== undefined) servers.push(await started('the other', [other, 'serve']))
    for (const server of servers.slice(1)) await server.call('POST', '/api/domains', body(0))
    const costs = await measured(servers)
    return [told('a record read', costs, 'read'), told('a record saved', costs, 'save')]
  } finally {
    for (const server of servers) await server.stop()
  }
}

interface Server {
  readonly name: string
  readonly pid: number
  readonly call: Ask
  readonly stop: () => Promise<void>
}

interface Cost {
  readonly name: string
  readonly read: readonly number[]
  readonly save: readonly number[]
}

/** Every server in turn, round by round; one round first that does not count. */
async function measured(servers: readonly Server[]): Promise<readonly Cost[]> {
  const costs = servers.map(({ name }) => ({ name, read: [] as number[], save: [] as number[] }))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, server] of servers.entries()) {
      const read = await perRequest(server, READS, () => server.call('GET', '/api/domains/1'))
      const save = await perRequest(server, SAVES, (call) =>
        server.call('POST', '/api/domains', body(1 + round * SAVES + call)),
      )
      if (round === 0) continue
      costs[at]!.read.push(read)
      costs[at]!.save.push(save)
    }
  }
  return costs
}

/** Microseconds of the server's processors for one of so many calls. */
async function perRequest(
  { name, pid }: Server,
  calls: number,
  call: (number: number) => Promise<Answer>,
): Promise<number> {
  let next = 0
  const before = spent(pid)
  const connection = async () => {
    while (next < calls) {
      const { status, text } = await call(next++)
      if (status !== 200 && status !== 201) throw new Error(`${name}: ${status} ${text.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  return (spent(pid) - before) / calls
}

const told = (what: string, costs: readonly Cost[], kind: 'read' | 'save'): Row => {
  const [ours, ...beside] = costs.map((cost) => ({ name: cost.name, us: median(cost[kind]) }))
  const others = beside.map(({ name, us }) => `${name} ${us.toFixed(0)} µs`).join(', ')
  return {
    goal: `${what}, with a key, ${CONNECTIONS} connections: CPU a request`,
    figure: `${ours!.us.toFixed(0)} µs (${others})`,
    limit: 'told',
    ok: true,
  }
}

const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Microseconds of processor time of a process, all its threads together: utime and stime of proc(5). */
function spent(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1e6
}

async function started(
  name: string,
  words: readonly string[],
  more: readonly string[] = [],
): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'] ?? '',
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: `127.0.0.1:${port}`,
    API_KEY: KEY,
  }
  const [file, ...rest] = words
  const args = more.length > 0 ? [file!, String(port), ...more] : [file!, ...rest]
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const server = {
    name,
    pid: child.pid!,
    call: askAt(port, agent),
    stop: async () => {
      agent.destroy()
      await ended(child)
      rmSync(directory, { recursive: true, force: true })
    },
  }
  try {
    await untilUp(server.call)
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}

const body = (number: number): string =>
  JSON.stringify({
    domain: `bench-${number}.home.example`,
    service_type: 'http',
    environment: 'production',
    backend_host: '10.0.0.5',
    backend_port: 8080,
  })
