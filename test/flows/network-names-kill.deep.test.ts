/** A daemon that is killed while it names clients at a controller: its next life says so, and the next run finishes what was cut off. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { brokenPromises } from '../broken-promises.ts'
import { UNIFI_KEY, unifiApi } from '../fakes/lab/unifi.ts'
import { PROXMOX_TOKEN, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { type Running, start } from './command.ts'
import { newFolder } from '../kit/new-folder.ts'

const KEY = 'the-key-of-this-very-test-0002'
const CLIENTS = [1, 2, 3]
const macOf = (at: number) => `bc:24:11:00:00:0${at}`

interface Cut {
  /** The write during which it dies. */
  readonly nth: number
  /** Of the write at the controller. */
  readonly moment: 'before' | 'after'
}
const CUTS: readonly Cut[] = [
  { nth: 2, moment: 'after' },
  { nth: 2, moment: 'before' },
  { nth: 1, moment: 'after' },
  { nth: 3, moment: 'before' },
]

it.each(CUTS)('killed $moment write $nth', { timeout: 120_000 }, async ({ nth, moment }) => {
  const [unifi, proxmox] = await Promise.all([unifiApi(), proxmoxApi()])
  const directory = newFolder('killed')
  const users = CLIENTS.map((at): Record<string, unknown> => ({ _id: `u${at}`, mac: macOf(at) }))
  unifi.lists.set('rest/user', users)
  proxmox.guests = CLIENTS.map((at) => ({
    type: 'qemu',
    vmid: 100 + at,
    name: `guest${at}`,
    config: { net0: `virtio=${macOf(at)},bridge=vmbr0` },
  }))
  const env = {
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_DNS_PROVIDER: 'none',
    API_KEY: KEY,
    PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
    PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
    PLUMBLINE_PROXMOX: `lab=${proxmox.base}`,
    PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
  }
  const writes = () => unifi.asked.filter((line) => line.startsWith('PUT '))
  let daemon: Running | null = null
  try {
    daemon = await serve(env)
    const victim = daemon
    unifi.answer = ({ method, url }, response) => {
      if (method !== 'PUT' || writes().length !== nth) return false
      const row = users.find(({ _id }) => url!.endsWith(`/${_id as string}`))!
      if (moment === 'after') row['name'] = `guest${(row['_id'] as string).slice(1)}`
      void victim.stop('SIGKILL').then(() => response.destroy())
      return true
    }
    expect(await sync(directory).catch(() => null)).toBe(null)
    await victim.stop('SIGKILL')
    expect(brokenPromises(directory, 'at death')).toEqual([])
    unifi.answer = null
    daemon = await serve(env)
    await daemon.saw('renames of clients were cut off')
    expect(await sync(directory)).toMatchObject({
      success: true,
      recovered: [{ user_id: `u${nth}`, outcome: moment === 'after' ? 'written' : 'not_written' }],
    })
    expect(users.map(({ name }) => name)).toEqual(CLIENTS.map((at) => `guest${at}`))
    expect(writes()).toHaveLength(moment === 'after' ? CLIENTS.length : CLIENTS.length + 1)
    expect(await sync(directory)).toMatchObject({ renamed: [], recovered: [], unchanged: CLIENTS.length })
  } finally {
    await daemon?.stop()
    await unifi.close()
    await proxmox.close()
  }
})

async function serve(env: Readonly<Record<string, string>>): Promise<Running> {
  const daemon = start(['serve'], env)
  await daemon.saw('"listening"')
  return daemon
}

async function sync(directory: string): Promise<unknown> {
  const { listen } = JSON.parse(readFileSync(join(directory, 'holder.json'), 'utf8')) as { listen: string }
  const path = '/companions/network/api/sync-names'
  const answer = await request(listen + path, { method: 'POST', headers: { 'x-api-key': KEY } })
  return answer.body.json()
}
