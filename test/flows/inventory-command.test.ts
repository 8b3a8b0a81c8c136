/** `plumbline inventory` as a shell runs it: a list that is not whole says so, whoever reads it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { UNIFI_KEY, type UnifiApi, unifiApi } from '../fakes/lab/unifi.ts'
import { PROXMOX_TOKEN, type ProxmoxApi, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { ESTATE, run } from './command.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let proxmox: ProxmoxApi
let unifi: UnifiApi
let env: Record<string, string>

beforeEach(async () => {
  directory = newFolder('inventory')
  proxmox = await proxmoxApi()
  proxmox.guests = [{ type: 'qemu', vmid: 1401, name: 'web', config: {} }]
  unifi = await unifiApi()
  unifi.lists.set('stat/alluser', [])
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_PROXMOX: `lab=${proxmox.base}`,
    PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
    PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
    PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
  }
  const estate = join(directory, 'estate.yaml')
  writeFileSync(estate, ESTATE)
  const ran = await run(['import', estate], env)
  expect(ran, ran.err).toMatchObject({ code: 0 })
})
afterEach(async () => {
  await proxmox.close()
  await unifi.close()
})

const fails = (api: Pick<ProxmoxApi, 'answer'>) =>
  (api.answer = (_request, response) => {
    response.writeHead(500).end()
    return true
  })

itInDepth('lists guests, and has nothing to add where all is known', async () => {
  const told = await run(['inventory'], env)
  expect(told, told.err).toMatchObject({ code: 0, err: '' })
  expect(told.out).toMatch(/1401 {2}web/)
})

it.each([[[]], [['--json']]])('a list without a source names it and exits 3 %j', async (more) => {
  await unifi.close()
  const told = await run(['inventory', ...more], env)
  expect(told, told.err).toMatchObject({ code: 3 })
  expect(told.out).toContain('1401')
  expect(told.err).toMatch(/not whole.*unifi home/)
  expect(told.err).not.toContain('proxmox')
})

it.each([['inventory'], ['inventory next'], ['inventory check 1402']])(
  '%s exits 3 where no cluster answers, and names it',
  async (words) => {
    fails(proxmox)
    const told = await run(words.split(' '), env)
    expect(told, told.err).toMatchObject({ code: 3 })
    if (!words.includes('check')) expect(told.err).toContain('lab')
  },
)

itInDepth('network exits 3 where no controller answers', async () => {
  await unifi.close()
  for (const words of [['network'], ['network', 'rogue']]) {
    const told = await run(words, env)
    expect(told, told.err).toMatchObject({ code: 3 })
    expect(told.err).toMatch(/home|Not all/)
  }
})

it('says which setting is missing where nothing is configured', async () => {
  const {
    PLUMBLINE_PROXMOX: _p,
    PLUMBLINE_PROXMOX_TOKEN: _t,
    PLUMBLINE_UNIFI_URL: _u,
    PLUMBLINE_UNIFI_API_KEY: _k,
    ...bare
  } = env
  const told = await run(['inventory'], bare)
  expect(told, told.err).toMatchObject({ code: 0 })
  expect(told.err).toContain('PLUMBLINE_PROXMOX')
})
