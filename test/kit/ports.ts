/**
 * Ports that a test may close and open again, or hand to another process: none that the kernel gives to anybody by itself.
 * A port of `listen(0)` belongs, once closed, to whoever next connects to somewhere.
 */
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/** Below `net.ipv4.ip_local_port_range` (32768–60999 by default), above what services use. */
const LOWEST = 12_000
const HIGHEST = 32_000
/** Each worker has a part of them, so that no other one takes what is free and not used yet. */
const PARTS = 8
const PART = Number(process.env['VITEST_POOL_ID'] ?? 0) % PARTS
const WIDTH = (HIGHEST - LOWEST) / PARTS

/** What this process gave out last: it need not be open yet. */
const given: number[] = []
const MAX_GIVEN = 200

/** A port of 127.0.0.1 that is free now for TCP and UDP. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + PART * WIDTH + randomInt(WIDTH)
    if (given.includes(port)) continue
    given.push(port)
    if (given.length > MAX_GIVEN) given.shift()
    if (await isFree(port)) return port
  }
}

/** All distinct. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}

async function isFree(port: number): Promise<boolean> {
  const tcp = createServer()
  const udp = createSocket('udp4')
  const free = await Promise.all([
    new Promise<boolean>((resolve) => {
      tcp.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    }),
    new Promise<boolean>((resolve) => {
      udp.once('error', () => resolve(false)).bind(port, '127.0.0.1', () => resolve(true))
    }),
  ])
  await new Promise<void>((resolve) => udp.close(() => resolve()))
  if (tcp.listening) await new Promise((resolve) => tcp.close(resolve))
  return free.every(Boolean)
}
