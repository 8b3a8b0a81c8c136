/** A command in a folder of somebody else: nobody there is believed, and root leaves nothing beside the files of another user. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HeldLock } from '../../src/ports/lock.ts'
import { holdLock } from '../../src/store/files/lock.ts'
import { childEnv } from '../kit/child.ts'
import { programOf } from '../kit/programs.ts'
import { serve } from './command-daemon.ts'

const MAIN = programOf(new URL('../../src/main.ts', import.meta.url))
const STRANGER = 12_345
const isRoot = process.geteuid?.() === 0

let folder: string
let data: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-strangers-'))
  data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const give = (path: string, uid = STRANGER) => chownSync(path, uid, uid)

/** In that folder, as whoever runs the tests, with the key. */
async function command(words: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd: folder,
    env: {
      ...childEnv(),
      NO_COLOR: '1',
      PLUMBLINE_BACKEND_LOOKS: 'off',
      API_KEY: 'a-key-of-this-test',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, out, err: err.replaceAll(/\s+/g, ' ') }
}

describe.skipIf(!isRoot)('a daemon that the folder names', () => {
  let lock: HeldLock
  let server: Server
  let asked: (string | undefined)[]
  beforeEach(async () => {
    asked = []
    server = createServer((request, response) => {
      asked.push(request.headers['x-api-key'] as string | undefined)
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    lock = holdLock(data)
    lock.announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterEach(() => {
    lock.release()
    server.close()
  })
  const everything = () => [data, ...readdirSync(data).map((name) => join(data, name))]

  it('is not asked where it is the daemon of somebody else, and gets no key', async () => {
    for (const path of everything()) give(path)
    const { code, err } = await command(['domains', '-q'])
    expect(err).toContain(`${data} belongs to the user with the id ${STRANGER}`)
    expect(err).toContain(`name it: PLUMBLINE_DATA_DIR=${data}.`)
    expect([code, asked]).toEqual([78, []])
    const { out } = await command(['doctor', '--json'])
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ check: 'daemon', state: 'bad' }))
    expect(asked).toEqual([])
  })

  it('is asked where its directory was named, whoever owns it', async () => {
    for (const path of everything()) give(path)
    expect(await command(['domains', '-q'], { PLUMBLINE_DATA_DIR: data })).toMatchObject({ code: 0 })
    expect(asked).toEqual(['a-key-of-this-test'])
  })

  it('is not asked where files in it are root’s: whoever owns the folder may have moved them there', async () => {
    writeFileSync(join(data, 'installation.json'), '{}')
    give(data)
    expect(await command(['domains', '-q'])).toMatchObject({ code: 78 })
    expect(asked).toEqual([])
  })

  it.each([
    ['named', () => ({ PLUMBLINE_DATA_DIR: data })],
    ['that of the folder', () => ({})],
  ])('is not asked where somebody else wrote its word into our directory, %s', async (_how, env) => {
    give(join(data, 'holder.json'))
    const { code, err } = await command(['domains', '-q'], env())
    expect(err).toContain(`holder.json belongs to the user with the id ${STRANGER}`)
    expect([code, asked]).toEqual([78, []])
  })
})

describe.skipIf(!isRoot)('the directory of a daemon of another user that does not run', () => {
  const env = () => ({ PLUMBLINE_DATA_DIR: data, PLUMBLINE_LISTEN: '127.0.0.1:0' })
  const owners = () =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => [
        name,
        lstatSync(join(folder, name)).uid,
      ]),
    )
  beforeEach(async () => {
    await (await serve({ ...env(), API_KEY: 'a-key-of-this-test' })).stop()
    for (const name of ['', ...Object.keys(owners())]) give(join(folder, name))
  })

  it.each([[['status']], [['domains', '-q']], [['deploy', '--all', '--yes']]])(
    'is left alone by root, who is told as whom to run %j',
    async (words) => {
      const before = owners()
      const { code, err } = await command(words, env())
      expect(err).toContain(`The data directory belongs to the user with the id ${STRANGER}`)
      expect(err).toContain(`"sudo -u '#${STRANGER}' PLUMBLINE_DATA_DIR=${data} plumbline …"`)
      expect([code, owners()]).toEqual([78, before])
    },
  )

  it('is examined by root, of whom nothing is left there', async () => {
    const { out } = await command(['doctor', '--json'], env())
    const findings = JSON.parse(out) as { check: string; state: string; detail: string }[]
    expect(findings.find(({ check }) => check === 'database and API')?.detail).toContain('sudo -u')
    expect(findings).toContainEqual(expect.objectContaining({ check: 'database', state: 'good' }))
    // SQLite gives the files beside a database to its owner.
    expect(new Set(Object.values(owners()))).toEqual(new Set([STRANGER]))
  })
})
