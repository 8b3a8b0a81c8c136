/**
 * A VPN gateway of its own: WireGuard in user space, in a network and a folder of sockets that nothing else sees, and OpenSSH
 * in front of it, whose key runs the export and nothing else.
 */
import { execFile } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { GATEWAY_SCRIPT } from '../../src/features/vpn/model/gateway-script.ts'
import { type Peer, runTool, startPeer, TOOL_MS, TOOL_PATH } from './peer.ts'
import { type Sshd, startSshd } from './sshd.ts'
import { makeSshKey } from './ssh-key.ts'

export const WIREGUARD_PROGRAMS = [
  'wg',
  'wg-quick',
  'wireguard-go',
  'ip',
  'unshare',
  'sshd',
  'ssh',
  'ssh-keygen',
] as const

export interface WireguardGateway {
  readonly sshd: Sshd
  /** The private key that is let in for the export. */
  readonly identity_file: string
  readonly server_public_key: string
  /** Runs a program there; what it prints. */
  run(program: string, ...args: readonly string[]): Promise<string>
  /** Another interface, as a device has it. */
  addInterface(name: string): Promise<void>
  setConfig(name: string, text: string): Promise<void>
  /** Exchanges the export for a file of that text, or a command. */
  exportBy(command: string): void
  stop(): Promise<void>
}

export const SERVER = 'wgsrv1'
export const SERVER_PORT = 51_820

export async function startWireguard(): Promise<WireguardGateway> {
  const sshd = await startSshd()
  try {
    const { peer } = await startPeer({
      name: 'wireguard',
      ports: 0,
      async prepare(directory) {
        writeFileSync(join(directory, 'start.sh'), START, { mode: 0o755 })
        return {
          program: 'unshare',
          args: ['-nmpf', '--kill-child', '--mount-proc', 'sh', join(directory, 'start.sh')],
          ready: async () => readFileSync(join(directory, 'peer.log'), 'utf8').includes('ready'),
        }
      },
    })
    return await gatewayOf(peer, sshd)
  } catch (error) {
    await sshd.stop()
    throw error
  }
}

/** Devices of other tests would be seen in a folder that they share. */
const START = `
set -e
mkdir -p /run/wireguard
mount -t tmpfs tmpfs /run/wireguard
ip link set lo up
echo ready
while :; do sleep 60; done
`

const run = promisify(execFile)

async function gatewayOf(peer: Peer, sshd: Sshd): Promise<WireguardGateway> {
  const [inside = ''] = readFileSync(`/proc/${peer.pid}/task/${peer.pid}/children`, 'utf8').trim().split(' ')
  const enter = ['-t', inside, '-n', '-m', '-p', '--']
  const inNetwork = async (program: string, ...args: readonly string[]) => {
    const options = { timeout: TOOL_MS, env: { PATH: TOOL_PATH, LC_ALL: 'C.UTF-8', LOG_LEVEL: 'error' } }
    const { stdout } = await run('nsenter', [...enter, program, ...args], options)
    return stdout
  }
  const script = join(peer.directory, 'wg-export')
  writeFileSync(script, GATEWAY_SCRIPT)
  chmodSync(script, 0o755)
  const identity_file = join(peer.directory, 'vpn')
  await makeSshKey(identity_file)
  const exportBy = (command: string) =>
    writeFileSync(
      sshd.authorized_keys,
      `restrict,command="${command}" ${readFileSync(`${identity_file}.pub`, 'utf8')}`,
      { mode: 0o600 },
    )
  exportBy(`nsenter ${enter.join(' ')} ${script}`)
  const addInterface = async (name: string) => {
    // It goes on in the background, and would keep our pipes open.
    await inNetwork('sh', '-c', `wireguard-go ${name} > /dev/null 2>&1`)
    await inNetwork('ip', 'link', 'set', name, 'up')
  }
  const setConfig = async (name: string, text: string) => {
    const file = join(peer.directory, `${name}.conf`)
    writeFileSync(file, text, { mode: 0o600 })
    await inNetwork('wg', 'setconf', name, file)
  }
  await addInterface(SERVER)
  const private_key = (await runTool('wg', ['genkey'])).trim()
  await setConfig(SERVER, `[Interface]\nPrivateKey = ${private_key}\nListenPort = ${SERVER_PORT}\n`)
  return {
    sshd,
    identity_file,
    server_public_key: (await inNetwork('wg', 'show', SERVER, 'public-key')).trim(),
    run: inNetwork,
    addInterface,
    setConfig,
    exportBy,
    async stop() {
      // unshare hears nothing while its child lives.
      killIfThere(Number(inside))
      await peer.stop()
      await sshd.stop()
    },
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone already.
  }
}
