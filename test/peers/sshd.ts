/** OpenSSH's server for the user of the test run, with one `authorized_keys` of its own, and its client as who knocks. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type Peer, startPeer, TOOL_MS, TOOL_PATH, whichProgram } from './peer.ts'
import { makeSshKey } from './ssh-key.ts'

export interface Sshd extends Peer {
  readonly port: number
  readonly user: string
  /** The file that it reads at every login. */
  readonly authorized_keys: string
  /** A private key that is let in by another file, as whoever administers the gateway is. */
  readonly identity_file: string
  /** `ssh-ed25519 AAAA…` */
  readonly host_key: string
  /** Logs in with a private key and runs `true`, or the words; what they print, or null where the key is not taken. */
  logIn(identity_file: string, words?: readonly string[]): Promise<string | null>
}

export interface SshdOptions {
  /** Further lines of `sshd_config`; of two the first counts, and these come first. */
  readonly config?: string
  /** How SFTP is served. */
  readonly subsystem?: string
}

export const SSHD_PROGRAMS = ['sshd', 'ssh', 'ssh-keygen'] as const
/** Root's server wants it (`RuntimeDirectory` of Debian's unit); nobody else's does. */
const PRIVILEGE_SEPARATION = '/run/sshd'

export async function startSshd({
  config = '',
  subsystem = 'Subsystem sftp internal-sftp',
}: SshdOptions = {}): Promise<Sshd> {
  if (process.getuid?.() === 0 && !existsSync(PRIVILEGE_SEPARATION))
    mkdirSync(PRIVILEGE_SEPARATION, { mode: 0o755 })
  const { peer, ports } = await startPeer({
    name: 'sshd',
    ports: 1,
    async prepare(directory, [port = 0]) {
      mkdirSync(join(directory, 'gate'), { mode: 0o700 })
      for (const name of ['host', 'admin']) await makeSshKey(join(directory, name))
      writeFileSync(join(directory, 'sshd_config'), config + settings(directory, port, subsystem), {
        mode: 0o600,
      })
      return {
        program: 'sshd',
        args: ['-D', '-e', '-f', join(directory, 'sshd_config')],
        ready: async () => readFileSync(join(directory, 'peer.log'), 'utf8').includes('Server listening'),
      }
    },
  })
  const [port = 0] = ports
  const host_key = readFileSync(join(peer.directory, 'host.pub'), 'utf8').split(' ').slice(0, 2).join(' ')
  const known_hosts = join(peer.directory, 'known_hosts')
  writeFileSync(known_hosts, `[127.0.0.1]:${port} ${host_key}\n`)
  const { username: user } = userInfo()
  return {
    ...peer,
    port,
    user,
    authorized_keys: join(peer.directory, 'gate', 'authorized_keys'),
    identity_file: join(peer.directory, 'admin'),
    host_key: host_key.trim(),
    logIn: (identity_file, words = ['true']) => knock({ port, user, known_hosts }, identity_file, words),
  }
}

interface Door {
  readonly port: number
  readonly user: string
  readonly known_hosts: string
}

/** The exit code of `ssh` is 255 for its own trouble, else the command's. */
const SSH_FAILED = 255

function knock(
  { port, user, known_hosts }: Door,
  identity_file: string,
  words: readonly string[],
): Promise<string | null> {
  const options = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'PreferredAuthentications=publickey',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile=${known_hosts}`,
    'GlobalKnownHostsFile=/dev/null',
    'ConnectTimeout=60',
    'LogLevel=ERROR',
  ].flatMap((option) => ['-o', option])
  const args = [
    '-F',
    'none',
    ...options,
    '-i',
    identity_file,
    '-p',
    String(port),
    `${user}@127.0.0.1`,
    ...words,
  ]
  return new Promise((resolve, reject) => {
    execFile(
      whichProgram('ssh') ?? 'ssh',
      args,
      { timeout: TOOL_MS, env: { PATH: TOOL_PATH, LC_ALL: 'C.UTF-8' } },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout)
        if (error.code === SSH_FAILED && stderr.includes('Permission denied')) return resolve(null)
        reject(new Error(`ssh ended with ${String(error.code)}: ${stderr}`))
      },
    )
  })
}

/** The folder of the tests lies below one that everybody may write to, so the modes of parents are not looked at. */
const settings = (directory: string, port: number, subsystem: string): string => `
Port ${port}
ListenAddress 127.0.0.1
HostKey ${join(directory, 'host')}
PidFile none
AuthorizedKeysFile ${join(directory, 'gate', 'authorized_keys')} ${join(directory, 'admin.pub')}
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PermitUserRC no
PrintMotd no
MaxStartups 200
LogLevel VERBOSE
${subsystem}
`
