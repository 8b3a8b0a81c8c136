/** Folders that settings name and that nobody made: each is an error that names its setting, and none is made. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon } from '../../src/build-daemon.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
beforeEach(() => {
  directory = newFolder('folders')
})

const BASE = { PLUMBLINE_LISTEN: '127.0.0.1:0', PLUMBLINE_DNS_PROVIDER: 'none' }

/** The errors of a start, by the setting that they name; it is closed again where there are none. */
async function faults(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const config = loadConfig({ ...BASE, PLUMBLINE_DATA_DIR: join(directory, 'data'), ...env })
  try {
    const house = await buildDaemon(config, { log: silentLog })
    await house.close()
    return []
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'bad_configuration') throw error
    return error.message.split('\n')
  }
}

it.each([
  ['PLUMBLINE_ROUTES_FILE', 'routes.yml', true],
  ['PLUMBLINE_CERTIFICATES_FILE', 'certificates.yml', true],
  ['PLUMBLINE_CERTIFICATES_DIR', '', false],
  ['PLUMBLINE_ACME_STORE', 'acme.json', true],
  ['PLUMBLINE_SSO_RULES_FILE', 'rules.yml', true],
  ['PLUMBLINE_SSO_USERS_FILE', 'users.yml', true],
  ['PLUMBLINE_AUTHORIZED_KEYS', 'authorized_keys', true],
])('%s', async (name, file, is_file) => {
  const path = join(directory, 'missing', file)
  const folder = is_file ? dirname(path) : path.replace(/\/$/, '')
  const missing = `${name} leads to the folder ${folder}, which does not exist. Correct the path, or make it: mkdir -p ${folder}.`
  expect(await faults({ [name]: path })).toEqual([missing])
  expect(existsSync(folder)).toBe(false)
  writeFileSync(folder, '')
  expect(await faults({ [name]: path })).toEqual([
    `${name} leads to ${folder}, which is no folder. Correct the path.`,
  ])
  rmSync(folder)
  mkdirSync(folder)
  expect(await faults({ [name]: path })).toEqual([])
})

it.each(['/proc/1/x', '/proc', '/sys/x', '/dev/x', '/proc/self/cwd/x'])(
  'a data directory at %s is refused before anything is made',
  async (path) => {
    const told = `PLUMBLINE_DATA_DIR leads to ${path}, where the kernel shows itself and nothing can be kept. Name a folder on a disk.`
    expect(await faults({ PLUMBLINE_DATA_DIR: path })).toEqual([told])
  },
)

it('so is one that a link leads there, and one in memory is none of them', async () => {
  symlinkSync('/proc/1', join(directory, 'link'))
  expect(await faults({ PLUMBLINE_DATA_DIR: join(directory, 'link', 'x', 'y') })).toEqual([
    expect.stringContaining('leads to /proc/1/x/y, where the kernel shows itself'),
  ])
  const memory = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/plumbline-folders-') : directory
  expect(await faults({ PLUMBLINE_DATA_DIR: memory })).toEqual([])
  rmSync(memory, { recursive: true, force: true })
})

it('all that are missing are told at once', async () => {
  const at = (name: string) => join(directory, 'missing', name)
  const told = await faults({
    PLUMBLINE_AUTHORIZED_KEYS: at('authorized_keys'),
    PLUMBLINE_ACME_STORE: at('acme.json'),
  })
  expect(new Set(told.map((line) => line.split(' ')[0]))).toEqual(
    new Set(['PLUMBLINE_ACME_STORE', 'PLUMBLINE_AUTHORIZED_KEYS']),
  )
})

it('a folder of zone files that the accounts file names', async () => {
  const folder = join(directory, 'missing')
  const accounts = join(directory, 'accounts.yml')
  writeFileSync(
    accounts,
    `accounts:\n  - name: lan\n    provider: zonefile\n    directory: ${folder}\n    nameservers: [ns1.example.net]\n`,
  )
  expect(await faults({ PLUMBLINE_DNS_ACCOUNTS_FILE: accounts })).toEqual([
    `PLUMBLINE_DNS_ACCOUNTS_FILE leads to the folder ${folder}, which does not exist. Correct the path, or make it: mkdir -p ${folder}.`,
  ])
  expect(existsSync(folder)).toBe(false)
})

it('what lies in the data directory is made', async () => {
  const keys = join(directory, 'data', 'gate', 'authorized_keys')
  expect(await faults({ PLUMBLINE_AUTHORIZED_KEYS: keys })).toEqual([])
  expect(existsSync(dirname(keys))).toBe(true)
})

it('a gateway over SFTP keeps its own folders', async () => {
  const keys = 'sftp://gate@127.0.0.1:9/nowhere/authorized_keys'
  const told = await faults({ PLUMBLINE_AUTHORIZED_KEYS: keys })
  expect(told.join()).not.toContain('does not exist')
})
