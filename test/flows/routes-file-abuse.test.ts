/** Whatever somebody does to the routes file: never parsed, never a crash or a stall, named, and healed by rename. */
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createActive, openTestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const ALIAS_BOMB = `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 12 }, (_, i) => `a${i}: &a${i} [${`*a${i === 0 ? '' : i - 1},`.repeat(8)}x]`).join('\n')}\n`

const ABUSES: readonly [string, (path: string) => void][] = [
  ['is deleted', (path) => rmSync(path)],
  ['is empty', (path) => truncateSync(path, 0)],
  [
    'is garbage',
    (path) => writeFileSync(path, Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7919) % 256))),
  ],
  ['is a YAML alias bomb', (path) => writeFileSync(path, ALIAS_BOMB)],
  ['is nested 100,000 deep', (path) => writeFileSync(path, '['.repeat(100_000))],
  [
    'has 60,000 keys',
    (path) => writeFileSync(path, Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join('\n')),
  ],
  ['is one line of 5 MB', (path) => writeFileSync(path, 'x'.repeat(5_000_000))],
  ['is 500 MB', (path) => truncateSync(path, 500_000_000)],
  ['is a directory', (path) => (rmSync(path), mkdirSync(path))],
  [
    'is a directory with files in it',
    (path) => (rmSync(path), mkdirSync(path), writeFileSync(join(path, 'kept.txt'), 'x')),
  ],
  ['is a link to somewhere else', (path) => (rmSync(path), symlinkSync('/etc/passwd', path))],
  ['is a dangling link', (path) => (rmSync(path), symlinkSync('/nowhere/at/all', path))],
  ['is a FIFO', (path) => (rmSync(path), void execFileSync('mkfifo', [path]))],
]

describe('a routes file that', () => {
  itOneIn(4).each(ABUSES)('%s is named in observe mode, and nothing is written', async (_name, abuse) => {
    await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
    await createActive(at.call)
    abuse(at.house.routes_path)
    const found = await at.call('GET', '/api/domains/drift')
    expect(found.status).toBe(200)
    expect(found.body['drift']).toBe(true)
    expect(found.body['differences']).not.toEqual([])
    const before = lstatSync(at.house.routes_path, { throwIfNoEntry: false })?.ino
    await expect.poll(() => at.house.engine.lastReports()[0]?.outcome).toBe('left_drifting')
    expect(lstatSync(at.house.routes_path, { throwIfNoEntry: false })?.ino).toBe(before)
  })

  itOneIn(4).each(ABUSES)('%s is healed in repair mode', async (_name, abuse) => {
    await using at = await openTestHouse()
    await createActive(at.call)
    const bytes = at.routes()
    abuse(at.house.routes_path)
    await expect.poll(() => smallText(at.house.routes_path, bytes.length)).toBe(bytes)
    expect(readFileSync('/etc/passwd', 'utf8')).toContain('root')
    expect((await at.call('GET', '/api/domains/drift')).body['drift']).toBe(false)
  })
})

/** The file's text when it is a regular file of that size: nobody wants 500 MB of it in a test report. */
function smallText(path: string, size: number): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size === size ? readFileSync(path, 'utf8') : null
}

it('a file that was there before us is left alone until it is moved away', async () => {
  await using first = await openTestHouse({ opened: false })
  await first.house.close()
  rmSync(first.house.routes_path, { force: true })
  rmSync(join(first.directory, 'plumbline.db'))
  rmSync(join(first.directory, 'installation.json'))
  writeFileSync(first.house.routes_path, 'http: {routers: {mine: {rule: x}}}\n')
  await using at = await openTestHouse({ directory: first.directory })
  const answer = await at.call('POST', '/api/domains/expose', {
    body: { domain: 'x.example.com', backend_host: '10.0.0.9', backend_port: 80 },
  })
  expect(answer.status).toBe(409)
  expect(answer.body['detail']).toContain('was there before Plumbline')
  expect(at.routes()).toBe('http: {routers: {mine: {rule: x}}}\n')
  rmSync(at.house.routes_path)
  await expect.poll(async () => (await at.call('POST', '/api/deploy-all')).status).toBe(200)
  expect(at.routes()).toContain('x.example.com')
})

itInDepth('a stranger’s file that the settings point at later is left alone as well', async () => {
  await using first = await openTestHouse()
  await createActive(first.call)
  await first.house.close()
  const foreign = join(first.directory, 'dynamic', 'by-hand.yml')
  mkdirSync(join(first.directory, 'dynamic'))
  writeFileSync(foreign, 'http: {routers: {mine: {rule: x}}}\n')
  await using at = await openTestHouse({
    directory: first.directory,
    env: { PLUMBLINE_ROUTES_FILE: foreign },
  })
  await expect.poll(() => at.house.engine.lastReports()[0]?.outcome).toBe('refused')
  expect(readFileSync(foreign, 'utf8')).toBe('http: {routers: {mine: {rule: x}}}\n')
})
