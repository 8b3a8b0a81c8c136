/** An estate for the pages of what is looked at: a gateway behind sshd, guests, a controller, containers, and one daemon over all. */
import { readFileSync } from 'node:fs'
import { aContainer, type DockerApi, dockerApi } from '../fakes/lab/docker.ts'
import { UNIFI_KEY, type UnifiApi, unifiApi } from '../fakes/lab/unifi.ts'
import { type FakeGuest, PROXMOX_TOKEN, type ProxmoxApi, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { type Sshd, startSshd } from '../peers/sshd.ts'
import { layGateway } from './vpn-dashboard-world.ts'
import { newKeyPair, type KeyPair } from './vpn-keys.ts'
import { create, openTestHouse, type TestHouse } from './test-house.ts'

export interface ConsoleEstate {
  readonly at: TestHouse
  readonly sshd: Sshd
  /** Of the peer `laptop`. */
  readonly laptop: KeyPair
  readonly proxmox: ProxmoxApi
  readonly unifi: UnifiApi
  close(): Promise<void>
}

interface EstateOptions {
  /** Before the daemon takes its first look, which it keeps for a while. */
  readonly prepare?: (of: Pick<ConsoleEstate, 'unifi' | 'proxmox'>) => void
}

const guest = (vmid: number, ip: string, over: Partial<FakeGuest> = {}): FakeGuest => ({
  type: 'qemu',
  vmid,
  name: `guest${vmid}`,
  config: {
    net0: `virtio=BC:24:11:00:00:${String(vmid % 90).padStart(2, '0')},bridge=vmbr0`,
    ipconfig0: `ip=${ip}/24`,
  },
  ...over,
})

const LAN = {
  _id: 'n1',
  name: 'LAN',
  purpose: 'corporate',
  ip_subnet: '192.168.1.1/24',
  dhcpd_enabled: true,
  dhcpd_start: '192.168.1.100',
  dhcpd_stop: '192.168.1.199',
}

export async function openConsoleEstate({ prepare }: EstateOptions = {}): Promise<ConsoleEstate> {
  const [sshd, unifi, proxmox, docker] = await Promise.all([
    startSshd(),
    unifiApi(),
    proxmoxApi(),
    dockerApi(),
  ])
  const laptop = newKeyPair()
  const identity = await layGateway(sshd, laptop)
  fill(unifi, proxmox, docker)
  prepare?.({ unifi, proxmox })
  const at = await openTestHouse({
    env: {
      PLUMBLINE_AUTHORIZED_KEYS: sshd.authorized_keys,
      PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
      PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
      PLUMBLINE_PROXMOX: `lab=${proxmox.base}`,
      PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
      PLUMBLINE_DOCKER_HOSTS: `hub=tcp://127.0.0.1:${docker.port}@192.168.1.10`,
      UCG_SSH_KEY: identity,
      UCG_SSH_USER: sshd.user,
      UCG_UK_HOST: `127.0.0.1:${sshd.port}`,
      UCG_FR_HOST: 'none',
      UK_DNS_ENDPOINT: 'localhost',
    },
  })
  await create(at.call, { domain: 'home.example.com', ddns_enabled: true, backend_host: '192.168.1.20' })
  await create(at.call, { domain: 'web.example.com', backend_host: '10.1.4.101', backend_port: 80 })
  await create(at.call, { domain: 'old.example.com', backend_host: '192.168.1.231', backend_port: 80 })
  return {
    at,
    sshd,
    laptop,
    proxmox,
    unifi,
    async close() {
      await at[Symbol.asyncDispose]()
      await Promise.all([sshd.stop(), unifi.close(), proxmox.close(), docker.close()])
    },
  }
}

function fill(unifi: UnifiApi, proxmox: ProxmoxApi, docker: DockerApi): void {
  unifi.lists
    .set('stat/alluser', [])
    .set('rest/networkconf', [LAN])
    .set('v2/firewall/zone', [])
    .set('v2/firewall-policies', [])
  proxmox.guests = [
    guest(1401, '10.1.4.101'),
    guest(1402, '10.1.4.102', { status: 'stopped' }),
    guest(1403, '10.1.4.101'),
    guest(1901, '10.1.9.1', { row: { template: 1 } }),
  ]
  docker.containers = [
    aContainer('wiki', { Ports: [{ IP: '0.0.0.0', PrivatePort: 3000, PublicPort: 13000, Type: 'tcp' }] }),
    aContainer('db', { Ports: [{ PrivatePort: 5432, Type: 'tcp' }] }),
  ]
}

/** What stands in the file that the real sshd reads. */
export const keysIn = ({ sshd }: ConsoleEstate): string => readFileSync(sshd.authorized_keys, 'utf8')
