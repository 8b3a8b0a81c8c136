/** A one-off command and the daemon at one data directory: each waits for the other a moment, and says for whom. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { HeldLock } from '../../src/ports/lock.ts'
import { holdLock } from '../../src/store/files/lock.ts'
import { start } from './command.ts'
import { serve } from './command-daemon.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>
/** Somebody who holds the directory and serves nothing, as a one-off command does, and a daemon that starts. */
let other: HeldLock

beforeEach(async () => {
  directory = newFolder('one')
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    API_KEY: 'a-key-of-this-test-alone',
  }
  await (await serve(env)).stop()
  other = holdLock(directory)
})
afterEach(() => other.release())

it('serve waits while a one-off command holds it, and then runs', async () => {
  const daemon = start(['serve'], env)
  await daemon.saw(`"process":${process.pid}`)
  other.release()
  await daemon.saw('"listening"')
  expect((await daemon.stop()).code).toBe(0)
})

itInDepth('a signal ends the wait of serve', async () => {
  const daemon = start(['serve'], env)
  await daemon.saw(`"process":${process.pid}`)
  const { code, out, err } = await daemon.stop()
  expect(code, err).toBe(75)
  expect(`${out}${err}`).toContain('is in use by process')
})

itInDepth('a command waits until the other has done, and does its work itself', async () => {
  const command = start(['domains', '--json'], env)
  await command.saw(`Process ${process.pid} holds ${directory}`)
  other.release()
  expect(await command.done).toEqual({ code: 0, out: '[]\n', err: expect.any(String) as unknown })
})

itInDepth('a command waits for a daemon that starts, and asks it', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    const command = start(['domains', '--json'], env)
    await command.saw(`Process ${process.pid} holds ${directory}`)
    other.announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(await command.done).toEqual({ code: 0, out: '[]\n', err: expect.any(String) as unknown })
    expect(asked).not.toEqual([])
  } finally {
    server.close()
  }
})
